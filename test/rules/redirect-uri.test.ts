import { describe, expect, test } from '@jest/globals';
import { findRedirectUriProblem } from '../../common/oauth/redirect-uri.ts';

describe('redirect URIs of OAuth clients', () => {
  test.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/a?b=c',
    'https://xn--bcher-kva.example/',
  ])('given %s, when it is registered in either mode, then it is taken', (uri) => {
    expect(findRedirectUriProblem(uri, 'live')).toBeNull();
    expect(findRedirectUriProblem(uri, 'test')).toBeNull();
  });

  test.each(['http://127.0.0.1:8080/callback', 'http://[::1]:8080/callback'])(
    'given the loopback address %s, when it is registered, then only a client in test mode may have it',
    (uri) => {
      expect(findRedirectUriProblem(uri, 'test')).toBeNull();
      expect(findRedirectUriProblem(uri, 'live')).toContain('must begin with https://');
    },
  );

  test.each([
    ['', 'absolute URI'],
    ['/callback', 'absolute URI'],
    [`https://app.example/${'a'.repeat(2_048)}`, 'absolute URI'],
    ['http://app.example/callback', 'must begin with https://'],
    ['http://localhost:8080/callback', 'must begin with https://'],
    ['http://127.0.0.1.example/callback', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['https://app.example/callback#part', 'fragment'],
    ['https://app.example/callback#', 'fragment'],
    ['https://user@app.example/callback', 'user name'],
    ['https://user:secret@app.example/callback', 'user name'],
    ['https://*.example/callback', 'wildcards'],
    ['HTTPS://app.example/callback', 'as it is called: https://app.example/callback'],
    ['https://APP.example/callback', 'as it is called'],
    ['https://app.example:443/callback', 'as it is called'],
    ['https://app.example/a/../callback', 'as it is called'],
    ['https://app;script-src.example/', 'letters, digits, dots and dashes'],
    [' https://app.example/callback', 'as it is called'],
  ])('given %j, when it is registered, then it is refused', (uri, reason) => {
    expect(findRedirectUriProblem(uri, 'test')).toContain(reason);
  });
});
