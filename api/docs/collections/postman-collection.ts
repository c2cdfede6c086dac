import type { JsonObject } from '#api/openapi/schema-registry.ts';
import { type CollectionRequest, listRequests } from './list-requests.ts';

/** Format 2.1 of Postman's collections, which other tools import too. */
const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * Creates the Postman collection of the OpenAPI document: a folder for each tag, a request for each operation with the
 * values of its example. Variables: `baseUrl` and `apiKey`, which is empty.
 */
export function createPostmanCollection(document: JsonObject, baseUrl: string): JsonObject {
  const folders = Map.groupBy(listRequests(document), ({ folder }) => folder);
  return {
    info: { name: 'Bluejay', description: 'Set the variable apiKey to an API key, best one of test mode.', schema },
    auth: { type: 'bearer', bearer: [variable('token', '{{apiKey}}')] },
    variable: [variable('baseUrl', baseUrl), variable('apiKey', '')],
    item: [...folders].map(([name, requests]) => ({ name, item: requests.map(toItem) })),
  };
}

function variable(key: string, value: string): JsonObject {
  return { key, value, type: 'string' };
}

function toItem(request: CollectionRequest): JsonObject {
  const { name, method, path, pathFields, query, headers, hasKey, body, description } = request;
  return {
    name,
    request: {
      method,
      description,
      ...(!hasKey && { auth: { type: 'noauth' } }),
      url: {
        raw: `{{baseUrl}}${withColons(path)}`,
        host: ['{{baseUrl}}'],
        path: withColons(path).slice(1).split('/'),
        variable: pathFields.map(({ name: key, value, description: text }) => ({ key, value, description: text })),
        query: query.map(toPair),
      },
      header: [...(body?.kind === 'json' ? [jsonType] : []), ...headers.map(toPair)],
      ...(body && { body: toBody(body) }),
    },
    response: [],
  };
}

const jsonType = { key: 'Content-Type', value: 'application/json' };

/** Postman writes a parameter of a path as `:id`. */
function withColons(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** An optional field is there, but switched off. */
function toPair({ name, value, description, isRequired }: CollectionRequest['query'][number]): JsonObject {
  return { key: name, value, description, ...(!isRequired && { disabled: true }) };
}

function toBody(body: NonNullable<CollectionRequest['body']>): JsonObject {
  if (body.kind === 'json') return { mode: 'raw', raw: body.text, options: { raw: { language: 'json' } } };
  return { mode: 'urlencoded', urlencoded: body.fields.map(toPair) };
}
