import { type ErrorCode, errorCodes, errorTable } from '#common/errors.ts';
import { docsUrlOf } from '../docs/docs-url.ts';
import type { AnyRoute } from '../route.ts';
import { headersOf } from './headers.ts';
import type { JsonObject } from './schema-registry.ts';

/** Errors of every route: the checks before the handler, and unavailable stores. */
export const commonErrors: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

/** The body of every error. The list of codes is open: clients handle unknown codes by their status. */
export const errorSchema: JsonObject = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'Machine-readable error code.', examples: errorCodes },
    message: { type: 'string', description: 'Human-readable message in English.' },
    docsUrl: { type: 'string', format: 'uri', description: 'The page of this code: its causes, and what to do.' },
    issues: {
      type: 'array',
      description: 'With `VALIDATION_ERROR`: all problems of the request.',
      items: {
        type: 'object',
        properties: {
          path: {
            type: 'array',
            description: 'Location as field names and array indexes. Empty for the body as a whole.',
            items: { type: ['string', 'integer'] },
          },
          message: { type: 'string' },
        },
        required: ['path', 'message'],
      },
    },
  },
  required: ['code', 'message', 'docsUrl'],
};

/**
 * Returns the error responses of a route by status, each as a reference. Adds the referenced responses to `shared`, named
 * after their error codes.
 */
export function describeErrors({ errors }: Pick<AnyRoute, 'errors'>, baseUrl: string, shared: JsonObject): JsonObject {
  const codes = errorCodes.filter((code) => commonErrors.includes(code) || errors.includes(code));
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => {
      const name = sameStatus.join('-');
      shared[name] ??= describeAnswer(status, sameStatus, baseUrl);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function describeAnswer(status: number, codes: ErrorCode[], baseUrl: string): JsonObject {
  const schema = { $ref: '#/components/schemas/Error' };
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, baseUrl) }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join('\n\n'),
    headers: headersOf(status),
    content: { 'application/json': { schema, examples } },
  };
}

function exampleOf(code: ErrorCode, baseUrl: string): JsonObject {
  const issues = [{ path: ['recipients', 0, 'zip'], message: 'This field is required.' }];
  return {
    code,
    message: errorTable[code].message,
    docsUrl: docsUrlOf(baseUrl, code),
    ...(code === 'VALIDATION_ERROR' && { issues }),
  };
}
