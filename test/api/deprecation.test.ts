// Level: unit
import { createServer } from 'node:http';
import express, { type RequestHandler } from 'express';
import { z } from 'zod';
import { announceDeprecation, deprecationHeaders } from '#api/middleware/announce-deprecation.ts';
import { createErrorHandler } from '#api/middleware/error-handler.ts';
import { mountRoutes } from '#api/mount-routes.ts';
import { describeOperation } from '#api/openapi/describe-operation.ts';
import { createSchemaRegistry } from '#api/openapi/schema-registry.ts';
import { beginRequest, stateOf } from '#api/requests/request-state.ts';
import { defineRoute, reply } from '#api/route.ts';
import { systemClock } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { slimDocument } from '#scripts/sdk/types/slim-document.ts';
import { describe, expect, openOnce, test } from '../support/jest.ts';
import { createSuiteLog } from '../support/product/suite-log.ts';

const baseUrl = 'https://api.example';
const deprecated = { since: '2027-01-31', sunset: '2028-01-31', instead: 'Use `GET /v1/letters`.' };
const Letters = z.strictObject({ id: z.string(), old: z.string().meta({ deprecated: true, description: 'Old.' }) });

const shared = {
  scope: 'read' as const,
  responses: { 200: Letters },
  errors: [],
  handle: async () => reply(200, { id: 'a', old: 'b' }),
};
const oldRoute = defineRoute({
  ...shared,
  ...{ method: 'get', path: '/v1/wallet/old', operationId: 'getOld', summary: 'Old', deprecated },
});
const sameWithPost = defineRoute({
  ...shared,
  ...{ method: 'post', path: '/v1/wallet/old', operationId: 'createOld', summary: 'Not old' },
});

describe('a deprecated route', () => {
  const served = openOnce(async () => {
    const app = express();
    app.use((request, _response, next) => {
      beginRequest(request, { requestId: 'r', log: createSuiteLog() });
      next();
    });
    // A caller with the scope, except without a key.
    const authenticate: RequestHandler = (request, _response, next) => {
      if (!request.headers.authorization) throw new AppError('UNAUTHORIZED');
      Object.assign(stateOf(request), { credential: { id: 'k', organizationId: 'o', mode: 'test', scopes: ['read'] } });
      next();
    };
    const rateLimit: RequestHandler = (_request, _response, next) => next();
    const options = { authenticate, rateLimit, baseUrl, clock: systemClock, areAnswersChecked: true };
    app.use(mountRoutes({ ...options, routes: [oldRoute, sameWithPost], services: {} as never }));
    app.use(createErrorHandler(baseUrl));
    const server = createServer(app);
    const port = await listen(server, 0);
    return { url: `http://127.0.0.1:${port}/v1/wallet/old`, close: () => closeServer(server) };
  });
  const headersOf = async (init: RequestInit) => {
    const { status, headers } = await fetch(served.url, init);
    return {
      status,
      ...Object.fromEntries(['deprecation', 'sunset', 'link'].map((name) => [name, headers.get(name)])),
    };
  };
  const authorized = { headers: { authorization: 'Bearer k' } };
  const announced = {
    deprecation: '@1801353600',
    sunset: 'Mon, 31 Jan 2028 00:00:00 GMT',
    link: `<${baseUrl}/docs/guides/conventions#versions>; rel="deprecation"; type="text/html"`,
  };

  test('each of its answers says since when, until when and where to read on, errors too', async () => {
    expect(await headersOf(authorized)).toEqual({ status: 200, ...announced });
    expect(await headersOf({})).toEqual({ status: 401, ...announced });
  });

  test('another method at its path says nothing', async () => {
    const nothing = { deprecation: null, sunset: null, link: null };
    expect(await headersOf({ ...authorized, method: 'POST' })).toEqual({ status: 200, ...nothing });
  });

  test('the reference marks it and its old fields, with what to use instead', () => {
    const schemas = createSchemaRegistry();
    const operation = describeOperation(oldRoute, { schemas, responses: {}, baseUrl });
    expect(operation).toMatchObject({
      deprecated: true,
      description: expect.stringMatching(/^\*\*Deprecated\*\* since 2027-01-31, and gone from 2028-01-31 on. Use `GET/),
      responses: { 200: { headers: { Sunset: { example: announced.sunset } } } },
    });
    const document = {
      paths: { '/v1/wallet/old': { get: operation } },
      webhooks: {},
      components: { schemas: schemas.named },
    };
    // What the SDK types are generated from.
    const slim = JSON.stringify(slimDocument(JSON.parse(JSON.stringify(document))));
    expect(slim.match(/"deprecated":true/g)).toHaveLength(2);
    expect(describeOperation(sameWithPost, { schemas, responses: {}, baseUrl })).not.toHaveProperty('deprecated');
  });

  test.each([
    ['2027-02-30', '2029-01-01', 'is not a day'],
    ['31.1.2027', '2029-01-01', 'is not a day'],
    ['2027-01-31', '2028-01-30', 'is announced 365 days ahead'],
  ])('from %s to %s does not start', (since, sunset, message) => {
    expect(() => announceDeprecation({ ...deprecated, since, sunset }, baseUrl)).toThrow(message);
  });

  test('a guide of its own is linked', () => {
    expect(deprecationHeaders({ ...deprecated, guide: '/docs/guides/sending' }, baseUrl).Link).toContain(
      `<${baseUrl}/docs/guides/sending>`,
    );
  });
});
