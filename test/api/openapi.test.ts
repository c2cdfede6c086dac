import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { routes } from '../../api/routes/index.ts';
import { exampleSecret } from '../../api/webhook-examples.ts';
import { type ErrorCode, errorTable } from '../../common/errors.ts';
import { eventKinds } from '../../common/webhooks/event.model.ts';
import { findBreakingChanges } from '../../scripts/openapi/find-breaking-changes.ts';
import { routeRows } from '../support/all-routes.ts';
import { createJudge, findExamples, readDocument } from '../support/openapi.ts';

const document = readDocument();
const judge = createJudge(document);
const operationOf = ({ path, method }: { path: string; method: string }) => document.paths[path][method];

/** What every route may answer, whatever it does. */
const everywhere = [400, 401, 403, 405, 413, 415, 429, 500, 503];

describe('the OpenAPI document', () => {
  const snapshot = readFileSync(join(import.meta.dirname, 'openapi.snapshot.json'), 'utf8');

  test('given the committed snapshot, when the document is made, then nothing that clients rely on is gone', () => {
    expect(findBreakingChanges(JSON.parse(snapshot), document)).toEqual([]);
  });

  test('given the committed snapshot, when the document is made, then it is the same (else: node scripts/write-openapi-snapshot.ts, and commit it)', () => {
    expect(document).toEqual(JSON.parse(snapshot));
  });

  test('given a validator of OpenAPI 3.1, when it reads the document, then it is valid', async () => {
    const validator = new Validator();
    expect(await validator.validate(readDocument())).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('given a linter at its strictest, when it reads the document, then it finds nothing', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    // It refuses hosts that stand for others.
    const source = JSON.stringify(readDocument('https://api.bluejay.test', 'https://app.bluejay.test'));
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('given all routes, when they are looked up, then each is there, and nothing but OAuth beside them', () => {
    const described = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    const declared = routes.map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...declared, 'post /oauth/revoke', 'post /oauth/token'].sort());
    const names = routes.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(routeRows)(
    'given %s, when it is looked up, then it says what it needs and all it can answer',
    (_, route) => {
      const operation = operationOf(route);
      expect(operation).toMatchObject({ operationId: route.operationId, 'x-required-scope': route.scope });
      expect(operation.security).toContainEqual({ oauth2: [route.scope] });
      expect(operation.description).toContain(`\`${route.scope}\``);
      const errors = route.errors.map((code) => errorTable[code].status);
      const statuses = new Set([...Object.keys(route.responses).map(Number), ...errors, ...everywhere]);
      expect(Object.keys(operation.responses).map(Number)).toEqual([...statuses].sort((left, right) => left - right));
      expect(operation.requestBody === undefined).toBe(route.body === undefined);
    },
  );

  test.each(routeRows)('given %s, when its examples are tried on its own schemas, then each passes', (_, route) => {
    const { example } = route;
    for (const part of ['params', 'body'] as const) {
      const schema = route[part];
      expect([part, schema === undefined || schema.safeParse(example?.[part]).success]).toEqual([part, true]);
    }
    for (const part of ['query', 'headers'] as const) {
      const given = example?.[part];
      expect(given === undefined || route[part]?.safeParse(given).success).toBe(true);
    }
    for (const [status, schema] of Object.entries(route.responses)) {
      const answer = example?.responses?.[Number(status)];
      expect(schema.safeParse(answer)).toEqual({ success: true, data: answer });
    }
  });

  test('given every example of the document, when it is held against its schema, then each fits', () => {
    const examples = findExamples(document);
    expect(examples.length).toBeGreaterThan(80);
    const faults = examples.flatMap(({ place, schema, value }) => judge(schema, value).map((what) => place + what));
    expect(faults).toEqual([]);
  });

  test.each(Object.keys(errorTable) as ErrorCode[])(
    'given the error %s, when an answer may carry it, then the document shows it with its status and headers',
    (code) => {
      const answers = Object.entries<Record<string, never>>(document.components.responses);
      const [, answer] = answers.find(([name]) => name.split('-').includes(code)) ?? [];
      const isRaised =
        routes.some(({ errors }) => errors.includes(code)) || everywhere.includes(errorTable[code].status);
      if (!answer) return expect(isRaised).toBe(false);
      expect(answer).toHaveProperty(['content', 'application/json', 'examples', code, 'value', 'code'], code);
      const headers = Object.keys(answer.headers ?? {});
      const { status } = errorTable[code];
      expect(headers).toContain('X-Request-Id');
      expect(headers.includes('Retry-After')).toBe(status === 429 || status === 503);
      expect(headers.includes('Allow')).toBe(status === 405);
      expect(headers.includes('WWW-Authenticate')).toBe(status === 401);
    },
  );

  test('given what clients receive, when its schemas are read, then new fields may come', () => {
    const closed = JSON.stringify(document.paths).match(/"additionalProperties":false/g) ?? [];
    // The one body without a name.
    expect(closed).toHaveLength(1);
    const names = Object.entries(document.components.schemas)
      .filter(([, schema]) => JSON.stringify(schema).includes('"additionalProperties":false'))
      .map(([name]) => name);
    expect(names.every((name) => /(Request|Patch|Input)$/.test(name))).toBe(true);
  });

  test('given the five events, when their examples are verified as receivers do, then each signature holds', () => {
    expect(Object.keys(document.webhooks)).toEqual(eventKinds);
    for (const kind of eventKinds) {
      const { parameters, requestBody, security } = document.webhooks[kind].post;
      const headers = Object.fromEntries(
        parameters.map(({ name, example }: Record<string, string>) => [name, example]),
      );
      const [, atS, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['X-Service-Signature']) ?? [];
      const body = JSON.stringify(requestBody.content['application/json'].example);
      expect(signature).toBe(createHmac('sha256', exampleSecret).update(`${atS}.${body}`).digest('hex'));
      expect([headers['X-Service-Event'], security]).toEqual([kind, []]);
    }
  });
});
