import type { JsonObject } from '#api/openapi/schema-registry.ts';

type Field = {
  name: string;
  /** Empty without an example. */
  value: string;
  description: string;
  isRequired: boolean;
};

/** A request of a collection, with the values of the examples in the OpenAPI document. */
export type CollectionRequest = {
  id: string;
  folder: string;
  name: string;
  description: string;
  method: string;
  /** With parameters in braces, as in the OpenAPI document. */
  path: string;
  pathFields: Field[];
  query: Field[];
  headers: Field[];
  /** Whether it carries an API key. OAuth requests carry the id and secret of an application in their body. */
  hasKey: boolean;
  body: { kind: 'json'; text: string } | { kind: 'form'; fields: Field[] } | null;
};

type Parameter = { name: string; in: string; description?: string; required?: boolean; example?: unknown };
type Content = Record<string, { example?: Record<string, unknown> }>;
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
};

/** Lists all requests of the OpenAPI document, in the order of its tags and paths. */
export function listRequests(document: JsonObject): CollectionRequest[] {
  const paths = document.paths as Record<string, Record<string, Operation>>;
  const requests = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => toRequest(method, path, operation)),
  );
  const folders = (document.tags as { name: string }[]).map(({ name }) => name);
  return requests.sort((one, other) => folders.indexOf(one.folder) - folders.indexOf(other.folder));
}

function toRequest(method: string, path: string, operation: Operation): CollectionRequest {
  const { operationId, summary, description = '', tags, parameters = [], requestBody } = operation;
  const fieldsIn = (place: string) => parameters.filter((parameter) => parameter.in === place).map(toField);
  return {
    id: operationId,
    folder: tags[0] ?? '',
    name: summary,
    description,
    method: method.toUpperCase(),
    path,
    pathFields: fieldsIn('path'),
    query: fieldsIn('query'),
    headers: fieldsIn('header'),
    hasKey: !path.startsWith('/oauth/'),
    body: requestBody === undefined ? null : toBody(requestBody.content),
  };
}

function toField({ name, description = '', required = false, example }: Parameter): Field {
  return { name, value: toText(example), description, isRequired: required };
}

function toText(example: unknown): string {
  if (example === undefined || example === null) return '';
  return typeof example === 'object' ? JSON.stringify(example) : String(example);
}

function toBody(content: Content): CollectionRequest['body'] {
  const json = content['application/json'];
  if (json !== undefined) return { kind: 'json', text: JSON.stringify(json.example ?? {}, null, 2) };
  const form = content['application/x-www-form-urlencoded']?.example ?? {};
  const fields = Object.entries(form).map(([name, example]) => ({
    ...{ name, value: toText(example) },
    ...{ description: '', isRequired: true },
  }));
  return { kind: 'form', fields };
}
