import { describe, expect, test } from '@jest/globals';
import { readReturnPath } from '../../api/web/return-path.ts';

describe('the way back after the sign-in', () => {
  test.each([
    '/',
    '/account',
    '/fr/account/api-keys?cursor=a%2Fb',
    '/oauth/authorize?redirect_uri=https%3A%2F%2Fapp.example',
  ])('given %s, when it is read, then it stays as it is', (path) => expect(readReturnPath(path)).toBe(path));

  test.each([
    undefined,
    '',
    'account',
    'https://evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/x\u0000',
    `/${'x'.repeat(9_000)}`,
  ])('given %j, when it is read, then it is none', (path) => expect(readReturnPath(path)).toBeNull());
});
