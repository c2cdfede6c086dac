// Level: ci
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from '#test/support/jest.ts';
import { readDocument } from '#test/support/project/openapi.ts';

test('the strictest linter rules find no problems in the OpenAPI document', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  // The linter refuses example host names.
  const source = JSON.stringify(readDocument('https://api.bluejay.test', 'https://app.bluejay.test'));
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});
