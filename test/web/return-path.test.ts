// Level: unit
import { readReturnPath } from '#api/web/sign-in/sign-in.ts';
import { describe, expect, test } from '../support/jest.ts';

describe('the path to return to after the sign-in', () => {
  test.each([
    '/',
    '/account',
    '/fr/account/api-keys?cursor=a%2Fb',
    '/oauth/authorize?redirect_uri=https%3A%2F%2Fapp.example',
  ])('%s is accepted', (path) => expect(readReturnPath(path)).toBe(path));

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
  ])('%j is refused', (path) => expect(readReturnPath(path)).toBeNull());
});
