import { type ErrorCode, errorTable } from '../../common/errors.ts';
import type { AnyRoute } from '../route.ts';
import { headersOf } from './headers.ts';
import type { JsonObject } from './schema-book.ts';

/** What any route may answer: the checks before every handler, and stores that are away. */
const commonErrors: readonly ErrorCode[] = [
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

/** The body of every error. The codes are an open list: one that a client does not know is judged by its status. */
export const errorSchema: JsonObject = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'For programs.', examples: Object.keys(errorTable) },
    message: { type: 'string', description: 'For people, in English.' },
    issues: {
      type: 'array',
      description: 'With `VALIDATION_ERROR`: every fault of the request.',
      items: {
        type: 'object',
        properties: {
          path: {
            type: 'array',
            description: 'Where: field names and indexes; empty for the body as a whole.',
            items: { type: ['string', 'integer'] },
          },
          message: { type: 'string' },
        },
        required: ['path', 'message'],
      },
    },
  },
  required: ['code', 'message'],
};

/**
 * The error answers of a route by status, each a reference; what they refer to is added to `shared`, under the names of
 * its codes.
 */
export function describeErrors({ errors }: Pick<AnyRoute, 'errors'>, shared: JsonObject): JsonObject {
  const codes = (Object.keys(errorTable) as ErrorCode[]).filter(
    (code) => commonErrors.includes(code) || errors.includes(code),
  );
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => {
      const name = sameStatus.join('-');
      shared[name] ??= describeAnswer(status, sameStatus);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function describeAnswer(status: number, codes: ErrorCode[]): JsonObject {
  const schema = { $ref: '#/components/schemas/Error' };
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join('\n\n'),
    headers: headersOf(status),
    content: { 'application/json': { schema, examples } },
  };
}

function exampleOf(code: ErrorCode): JsonObject {
  const issues = [{ path: ['recipients', 0, 'zip'], message: 'This field is required.' }];
  return { code, message: errorTable[code].message, ...(code === 'VALIDATION_ERROR' && { issues }) };
}
