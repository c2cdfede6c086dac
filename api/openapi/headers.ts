import type { JsonObject } from './schema-book.ts';

/** The headers of answers, to which each answer refers. */
export const headers: JsonObject = {
  'X-Request-Id': {
    description:
      'Names the request: your own header of this name when it fits the pattern, else one of ours. Quote it when you ask.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    example: 'c0a8e4d2-7f0b-4c52-9c1e-0d8f5a1b2c3d',
  },
  'RateLimit-Policy': {
    description: 'The quota, and the seconds it is counted over (IETF draft 8); wherever the credential was known.',
    schema: { type: 'string' },
    example: '"write"; q=60; w=60; pk=:YjM0ODU0ZGE3MWU4:',
  },
  RateLimit: {
    description:
      'What is left (`r`), and the seconds until it is whole again (`t`); wherever the credential was known.',
    schema: { type: 'string' },
    example: '"write"; r=29; t=1; pk=:YjM0ODU0ZGE3MWU4:',
  },
  'Retry-After': {
    description: 'Whole seconds after which to try again. Without it, trying again does not help.',
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  Allow: {
    description: 'The methods that the address takes.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, POST, HEAD',
  },
  'WWW-Authenticate': { required: true, schema: { type: 'string' }, example: 'Bearer' },
};

/** The headers that an answer with this status may carry. */
export function headersOf(status: number): JsonObject {
  const isCallerKnown = status !== 401 && status !== 405;
  const names = [
    'X-Request-Id',
    ...(isCallerKnown ? ['RateLimit-Policy', 'RateLimit'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 405 ? ['Allow'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
