import type { JsonObject } from '#api/openapi/schema-registry.ts';
import { type CollectionRequest, listRequests } from './list-requests.ts';

/**
 * Creates the Bruno collection of the OpenAPI document, in the JSON format that Bruno imports: a folder for each tag, a
 * request for each operation with the values of its example. Its environment has `baseUrl` and `apiKey`, which is
 * empty.
 */
export function createBrunoCollection(document: JsonObject, baseUrl: string): JsonObject {
  const folders = Map.groupBy(listRequests(document), ({ folder }) => folder);
  return {
    name: 'Bluejay',
    version: '1',
    root: { request: { auth: bearerAuth } },
    items: [...folders].map(([name, requests], index) => ({
      ...{ type: 'folder', name, seq: index + 1 },
      items: requests.map(toItem),
    })),
    environments: [
      {
        name: 'Bluejay',
        variables: [
          { ...environmentVariable, name: 'baseUrl', value: baseUrl },
          { ...environmentVariable, name: 'apiKey', value: '', secret: true },
        ],
      },
    ],
  };
}

const bearerAuth = { mode: 'bearer', bearer: { token: '{{apiKey}}' } };

const environmentVariable = { type: 'text', enabled: true, secret: false };

function toItem(request: CollectionRequest, index: number): JsonObject {
  const { name, description, method, path, pathFields, query, headers, hasKey, body } = request;
  return {
    ...{ type: 'http-request', name, seq: index + 1 },
    request: {
      url: `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      method,
      docs: description,
      headers: headers.map(toPair),
      params: [
        ...pathFields.map((field) => ({ ...toPair(field), type: 'path' })),
        ...query.map((field) => ({ ...toPair(field), type: 'query' })),
      ],
      auth: { mode: hasKey ? 'inherit' : 'none' },
      body: toBody(body),
    },
  };
}

/** An optional field is there, but switched off. */
function toPair({ name, value, description, isRequired }: CollectionRequest['query'][number]): JsonObject {
  return { name, value, description, enabled: isRequired };
}

function toBody(body: CollectionRequest['body']): JsonObject {
  if (body === null) return { mode: 'none' };
  if (body.kind === 'json') return { mode: 'json', json: body.text };
  return { mode: 'formUrlEncoded', formUrlEncoded: body.fields.map(toPair) };
}
