import { errorSchema } from './openapi/describe-errors.ts';
import { describeEvents } from './openapi/describe-events.ts';
import { describeOAuthPaths, describeOAuthSchemes, oauthSchemas } from './openapi/describe-oauth.ts';
import { describeOperation } from './openapi/describe-operation.ts';
import { headers } from './openapi/headers.ts';
import { introduction } from './openapi/introduction.ts';
import { createSchemaBook, type JsonObject } from './openapi/schema-book.ts';
import { allTags } from './openapi/tags.ts';
import type { AnyRoute } from './route.ts';

export type OpenApiOptions = {
  routes: readonly AnyRoute[];
  /** Where clients reach the API, without a slash at the end. */
  baseUrl: string;
  /** Where users reach the web host, likewise. */
  authUrl: string;
};

/** Either is enough. */
const keySchemes: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'bjk_<id>_<secret>', description: 'An API key.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The same key in a header of its own.' },
};

/** The whole API as an OpenAPI 3.1 document: nothing in it is said twice, all comes from the declarations of the routes. */
export function createOpenApiDocument({ routes, baseUrl, authUrl }: OpenApiOptions): JsonObject {
  const book = createSchemaBook();
  const responses: JsonObject = {};
  const paths = Object.fromEntries(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, sameRoutes]) => [
      path,
      Object.fromEntries(sameRoutes.map((route) => [route.method, describeOperation(route, { book, responses })])),
    ]),
  );
  const webhooks = describeEvents(book);

  return {
    openapi: '3.1.0',
    info: {
      title: 'Bluejay',
      version: '1.0.0',
      summary: 'Real letters by REST',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: Object.keys(keySchemes).map((name) => ({ [name]: [] })),
    tags: allTags,
    paths: { ...paths, ...describeOAuthPaths() },
    webhooks,
    components: {
      schemas: { ...book.named, Error: errorSchema, ...oauthSchemas },
      responses,
      headers,
      securitySchemes: { ...keySchemes, ...describeOAuthSchemes({ baseUrl, authUrl }) },
    },
  };
}
