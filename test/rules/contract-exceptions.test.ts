import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../support/readme.ts';

const contract = readFileSync(join(root, 'test/api/openapi.snapshot.json'), 'utf8');
const configuration = readFileSync(join(root, 'scripts/contract/schemathesis.toml'), 'utf8');
/** Paragraphs: each exception is one, with its reason on top. */
const parts = configuration.split('\n\n');

describe('the exceptions of the contract test', () => {
  test('given its configuration, when it is read, then no check is switched off and none is loosened for all operations', () => {
    for (const part of parts.filter((text) => /\benabled\s*=\s*false/.test(text))) {
      // One operation as a whole, never a check.
      expect(part).toMatch(/^# .+[\s\S]*\[\[operations\]\]\ninclude-operation-id = "\w+"\nenabled = false\n?$/);
    }
    expect(configuration).not.toMatch(/^\s*(exclude|baseline|warnings)/m);
    for (const part of parts.filter((text) => text.includes('checks'))) {
      expect(part.startsWith('#') && (part.includes('[[operations]]') || !/^[^#]*checks/m.test(part))).toBe(true);
    }
  });

  test('given each exception, when it is read, then it names operations that exist and gives a reason', () => {
    const exceptions = parts.filter((part) => part.includes('[[operations]]') && part.includes('checks'));
    expect(exceptions.length).toBeGreaterThan(0);
    for (const exception of exceptions) {
      expect(exception).toMatch(/^# .+/);
      const named = /^include-operation-id = (.+)$/m.exec(exception)?.[1] ?? '';
      const operationIds = [...named.matchAll(/"(\w+)"/g)].map(([, id]) => id);
      expect(operationIds.length).toBeGreaterThan(0);
      for (const id of operationIds) expect(contract).toContain(`"operationId": "${id}"`);
    }
  });
});
