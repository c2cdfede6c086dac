import type { JsonObject } from './schema-registry.ts';

/** Response headers, by name. */
export const headers: JsonObject = {
  'X-Request-Id': {
    description:
      'Identifies the request: the value of your own `X-Request-Id` header if it matches the pattern, otherwise a generated one. Quote it when you contact support.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    example: 'c0a8e4d2-7f0b-4c52-9c1e-0d8f5a1b2c3d',
  },
  'RateLimit-Policy': {
    description:
      'The quota (`q`) and its window in seconds (`w`), as in IETF RateLimit draft 8. Present on every authenticated request.',
    schema: { type: 'string' },
    example: '"write"; q=60; w=60; pk=:YjM0ODU0ZGE3MWU4:',
  },
  RateLimit: {
    description:
      'The remaining quota (`r`) and the seconds until it is fully restored (`t`). Present on every authenticated request.',
    schema: { type: 'string' },
    example: '"write"; r=29; t=1; pk=:YjM0ODU0ZGE3MWU4:',
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry. If absent, a retry does not help.',
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  Allow: {
    description: 'The methods that this path supports.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, POST, HEAD',
  },
  'WWW-Authenticate': {
    description:
      'What is wrong with the credential (RFC 6750): `invalid_token`, or `insufficient_scope` with the missing scope. Without `error` when the request had none. A 403 for another reason has no such header.',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
};

/** Returns references to the headers of a response with this status. */
export function headersOf(status: number): JsonObject {
  const isCallerKnown = status !== 401 && status !== 405;
  const names = [
    'X-Request-Id',
    ...(isCallerKnown ? ['RateLimit-Policy', 'RateLimit'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 401 || status === 403 ? ['WWW-Authenticate'] : []),
    ...(status === 405 ? ['Allow'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
