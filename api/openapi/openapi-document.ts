import service from '#package.json' with { type: 'json' };
import type { AnyRoute } from '../route.ts';
import { errorSchema } from './describe-errors.ts';
import { describeEvents } from './describe-events.ts';
import { describeOAuthPaths, describeOAuthSchemes, oauthSchemas } from './describe-oauth.ts';
import { describeOperation } from './describe-operation.ts';
import { headers } from './headers.ts';
import { introduction } from './introduction.ts';
import { createSchemaRegistry, type JsonObject } from './schema-registry.ts';
import { allTags } from './tags.ts';

export type OpenApiOptions = {
  routes: readonly AnyRoute[];
  /** Base URL of the API, without a trailing slash. */
  baseUrl: string;
  /** Base URL of the web host, without a trailing slash. */
  authUrl: string;
};

/** Clients send one of them. */
const keySchemes: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'bjk_<id>_<secret>', description: 'An API key.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The same API key in its own header.' },
};

/** Creates the OpenAPI 3.1 document of the whole API from the route declarations. */
export function createOpenApiDocument({ routes, baseUrl, authUrl }: OpenApiOptions): JsonObject {
  const schemas = createSchemaRegistry();
  const responses: JsonObject = {};
  const paths = Object.fromEntries(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, sameRoutes]) => [
      path,
      Object.fromEntries(
        sameRoutes.map((route) => [route.method, describeOperation(route, { schemas, responses, baseUrl })]),
      ),
    ]),
  );
  const webhooks = describeEvents(schemas);

  return {
    openapi: '3.1.0',
    info: {
      title: 'Bluejay',
      version: service.version,
      summary: 'Send physical letters through a REST API',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: Object.keys(keySchemes).map((name) => ({ [name]: [] })),
    tags: allTags,
    paths: { ...paths, ...describeOAuthPaths() },
    webhooks,
    components: {
      schemas: { ...schemas.named, Error: errorSchema, ...oauthSchemas },
      responses,
      headers,
      securitySchemes: { ...keySchemes, ...describeOAuthSchemes({ baseUrl, authUrl }) },
    },
  };
}
