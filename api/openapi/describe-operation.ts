import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { AnyRoute } from '../route.ts';
import { describeErrors } from './describe-errors.ts';
import { headersOf } from './headers.ts';
import type { JsonObject, SchemaRegistry } from './schema-registry.ts';
import { tagOf } from './tags.ts';

/** Components that operations refer to, and the base URL of the API. */
export type Shared = { schemas: SchemaRegistry; responses: JsonObject; baseUrl: string };

/** Describes a route as an operation of the document. */
export function describeOperation(route: AnyRoute, shared: Shared): JsonObject {
  const { schemas, responses, baseUrl } = shared;
  const { operationId, summary, description, scope, mode, body, example } = route;
  const scopes = scope === 'any' ? [] : [scope];
  const withScope = scope === 'any' ? 'any scope' : `the scope \`${scope}\``;
  const credential = `Requires a ${mode === undefined ? '' : `${mode} `}credential with ${withScope}.`;
  const requestBody = body && {
    required: !body.safeParse(undefined).success,
    content: { 'application/json': withExample({ schema: schemas.ofRequest(body) }, example?.body) },
  };
  return {
    operationId,
    summary,
    description: [...(description ? [description] : []), credential].join('\n\n'),
    tags: [tagOf(route).name],
    security: [{ bearer: [] }, { apiKey: [] }, { oauth2: scopes }],
    ...(scope !== 'any' && { 'x-required-scope': scope }),
    ...(mode && { 'x-required-mode': mode }),
    parameters: describeParameters(route, schemas),
    ...(requestBody && { requestBody }),
    responses: { ...describeAnswers(route, schemas), ...describeErrors(route, baseUrl, responses) },
  };
}

function describeAnswers(
  { responses, otherFormats = {}, meanings, example }: AnyRoute,
  schemas: SchemaRegistry,
): JsonObject {
  return Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => {
      const content = withExample({ schema: schemas.ofAnswer(schema) }, example?.responses?.[Number(status)]);
      const description = meanings?.[Number(status)] ?? STATUS_CODES[status] ?? status;
      const others = Object.entries(status === '200' ? otherFormats : {}).map(([type, text]) => [
        type,
        { schema: { type: 'string' }, example: text },
      ]);
      const formats = { [contentTypeOf(schema)]: content, ...Object.fromEntries(others) };
      return [status, { description, headers: headersOf(Number(status)), content: formats }];
    }),
  );
}

/** Returns the media type of a response: JSON unless the schema declares another. */
function contentTypeOf(schema: z.ZodType): string {
  return String(z.globalRegistry.get(schema)?.contentType ?? 'application/json');
}

function describeParameters({ params, query, headers, example }: AnyRoute, schemas: SchemaRegistry): JsonObject[] {
  return [
    ...describeFields('path', params, example?.params, schemas),
    ...describeFields('query', query, example?.query, schemas),
    ...describeFields('header', headers, example?.headers, schemas),
  ];
}

/** Describes the fields of a schema as parameters. */
function describeFields(
  place: 'path' | 'query' | 'header',
  schema: z.ZodType | undefined,
  example: unknown,
  schemas: SchemaRegistry,
): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemas.ofRequest(schema) as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name: place === 'header' ? headerName(name) : name,
    in: place,
    ...(description !== undefined && { description }),
    required: required.includes(name),
    // Serialized as name[key]=value.
    ...(place === 'query' && property.type === 'object' && { style: 'deepObject', explode: true }),
    ...withExample({ schema: property }, (example as JsonObject | undefined)?.[name]),
  }));
}

/** Returns the conventional spelling of a header: `Idempotency-Key` for `idempotency-key`. */
function headerName(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function withExample(described: JsonObject, example: unknown): JsonObject {
  return example === undefined ? described : { ...described, example };
}
