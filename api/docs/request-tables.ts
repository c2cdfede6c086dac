import { scopes } from '#common/access/scopes.ts';
import { errorTable } from '#common/errors.ts';
import { tools } from '#common/mcp/tools.ts';
import { oauthErrorTable } from '#common/oauth/oauth-error.ts';
import { commonErrors } from '../openapi/describe-errors.ts';
import { scopeDescriptions } from '../openapi/describe-oauth.ts';
import type { JsonObject } from '../openapi/schema-registry.ts';
import type { AnyRoute } from '../route.ts';
import { code, markdownTable } from './markdown-table.ts';

type Parameter = { name: string; in: string; schema: { minimum?: number; maximum?: number; default?: number } };

const nameOf = ({ method, path }: AnyRoute) => `${method.toUpperCase()} ${path}`;

/** Returns the tables of the guides that follow from the route declarations, by the name of their placeholder. */
export function requestTables(routes: readonly AnyRoute[], document: JsonObject): Record<string, string> {
  return {
    requests: markdownTable(
      ['Request', 'Scope', 'What it does'],
      routes.map((route) => [
        code(nameOf(route)),
        route.scope === 'any' ? 'any' : code(route.scope),
        `${route.summary}${route.mode === undefined ? '' : ` (${route.mode} keys only)`}`,
      ]),
    ),
    scopes: markdownTable(
      ['Scope', 'Grants'],
      scopes.map((scope) => [code(scope), scopeDescriptions[scope]]),
    ),
    lists: listTable(routes, document),
    tools: toolTable(),
    ...errorTables(routes),
    'oauth-errors': markdownTable(
      ['Code', 'Status'],
      Object.entries(oauthErrorTable).map(([error, status]) => [code(error), String(status)]),
    ),
  };
}

function toolTable(): string {
  const rows = tools.map(({ name, title, mode, annotations: { readOnlyHint, destructiveHint } }) => [
    code(name),
    `${title}${mode === undefined ? '' : ` (${mode} keys only)`}`,
    readOnlyHint ? 'no' : destructiveHint ? 'yes, and cannot be undone' : 'yes',
  ]);
  return markdownTable(['Tool', 'What it does', 'Changes something'], rows);
}

function listTable(routes: readonly AnyRoute[], document: JsonObject): string {
  const paths = document.paths as Record<string, Record<string, { parameters: Parameter[] }>>;
  const rows = routes.flatMap((route) => {
    const parameters = paths[route.path]?.[route.method]?.parameters.filter(({ in: place }) => place === 'query') ?? [];
    const limit = parameters.find(({ name }) => name === 'limit')?.schema;
    if (limit === undefined) return [];
    const filters = parameters.filter(({ name }) => !['limit', 'cursor'].includes(name));
    const range = `${limit.minimum} to ${limit.maximum}, ${limit.default} if absent`;
    return [[code(nameOf(route)), range, filters.map(({ name }) => code(name)).join(', ')]];
  });
  return markdownTable(['List', '`limit`', 'Filters'], rows);
}

/** Returns the errors that some request can receive, and those of single requests. */
function errorTables(routes: readonly AnyRoute[]): Record<string, string> {
  const isSent = (error: string) =>
    [...commonErrors, ...routes.flatMap(({ errors }) => errors)].some((each) => each === error);
  const errors = Object.entries(errorTable).filter(([error]) => isSent(error));
  const ownErrors = routes.flatMap((route) => {
    const own = route.errors.filter((error) => !commonErrors.includes(error));
    return own.length === 0 ? [] : [[code(nameOf(route)), own.map(code).join(', ')]];
  });
  return {
    errors: markdownTable(
      ['Code', 'Status', 'Message', 'Retry?'],
      errors.map(([error, { status, message, retry }]) => [
        `[${code(error)}](../errors/${error}.md)`,
        String(status),
        message,
        retry,
      ]),
    ),
    'common-errors': commonErrors.map(code).join(', '),
    'request-errors': markdownTable(['Request', 'Errors'], ownErrors),
  };
}
