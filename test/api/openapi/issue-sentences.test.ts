// Level: unit

import { bulkMapping } from '#api/openapi/examples/bulk-examples.ts';
import { parseInput } from '#api/requests/parse-input.ts';
import type { Issue } from '#common/errors.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { routeRows } from '#test/support/product/all-routes.ts';

const wrong = [undefined, null, true, 0, -1, 1.5, 1e300, '', 'x', 'x'.repeat(20_000), [], [[]], {}, { x: 1 }];
const many = Array.from({ length: 101 }, () => ({}));

/** Returns copies of a value, each with one part replaced by a wrong one. */
function* spoil(value: unknown): Generator<unknown> {
  yield* [...wrong, many];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    for (const other of spoil(part)) yield Array.isArray(value) ? [other] : { ...value, [key]: other };
  }
}

function messagesOf(route: (typeof routeRows)[number][1]): string[] {
  const issues: Issue[] = [];
  const { body, query, headers, example } = route;
  const shape =
    body && 'shape' in body ? Object.fromEntries(Object.keys(body.shape as object).map((key) => [key, 'x'])) : {};
  const ofQuery = query && 'shape' in query ? Object.keys(query.shape as object) : [];
  for (const value of spoil({ ...shape, ...(example?.body as object) })) parseInput(body, value, issues);
  for (const name of ofQuery)
    for (const value of ['', 'x', ['a', 'b']]) parseInput(query, { [name]: value }, issues, 'query');
  for (const value of ['', 'x'.repeat(300)]) parseInput(headers, { 'idempotency-key': value }, issues);
  return [...new Set(issues.map(({ message }) => message))];
}

describe('what the API says about a wrong value', () => {
  test.each(routeRows)('%s says it in its own sentences', (_name, route) => {
    for (const message of messagesOf(route)) {
      expect(message).toMatch(/^[A-Z].*\.$/s);
      expect(message).not.toMatch(/^(Invalid|Too |Unrecognized)|expected|received|undefined|NaN|regex/);
    }
  });

  test.each<[name: string, part: 'body' | 'query', value: unknown, path: string, message: string]>([
    ['POST /v1/quote', 'body', {}, 'zone', 'This field is required.'],
    ['POST /v1/quote', 'body', { zone: 'X' }, 'zone', 'Must be one of NATIONAL, INTERNATIONAL.'],
    ['POST /v1/quote', 'body', { pages: '3' }, 'pages', 'Must be a number.'],
    ['POST /v1/quote', 'body', { pages: 2.5 }, 'pages', 'Must be a whole number.'],
    ['POST /v1/quote', 'body', { pages: 0 }, 'pages', 'Must be at least 1.'],
    ['POST /v1/quote', 'body', { color: 'yes' }, 'color', 'Must be true or false.'],
    ['POST /v1/quote', 'body', [], '', 'Must be an object.'],
    ['POST /v1/mails', 'body', { recipients: 'x' }, 'recipients', 'Must be a list.'],
    ['POST /v1/mails', 'body', { recipients: many }, 'recipients', 'Must have at most 100 entries.'],
    [
      'POST /v1/bulk',
      'body',
      { mapping: { ...bulkMapping, name: 1 } },
      'mapping.name',
      'Must be text or a list or an object.',
    ],
    ['GET /v1/mails', 'query', { limit: ['1', '2'] }, 'limit', 'Give this parameter once.'],
    ['GET /v1/mails', 'query', { limit: '1000' }, 'limit', 'Must be at most 100.'],
  ])('%s: a wrong %s %j says at %s: %s', (name, part, value, path, message) => {
    const [, route] = routeRows.find(([known]) => known === name) ?? [];
    const issues: Issue[] = [];
    parseInput(route?.[part], value, issues, part);
    const at = issues.find((issue) => issue.path.join('.') === path);
    expect(at?.message).toBe(message);
  });
});
