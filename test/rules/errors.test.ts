// Level: unit
import { AppError, type ErrorCode, errorTable, invalid } from '#common/errors.ts';
import { describe, expect, test } from '../support/jest.ts';

/** The contract with integrators: each code and its status. Rows may be added, never changed or removed. */
const promised: Record<ErrorCode, number> = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_FUNDS: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  LIMIT_REACHED: 409,
  NOT_CANCELLABLE: 409,
  PRICE_CHANGED: 409,
  WEBHOOK_DISABLED: 409,
  DELIVERY_IN_FLIGHT: 409,
  IDEMPOTENCY_MISMATCH: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  PRICING_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
};
const codes = Object.keys(promised) as ErrorCode[];

describe('the error table', () => {
  test('codes and statuses are exactly those promised', () => {
    expect(Object.fromEntries(codes.map((code) => [code, errorTable[code].status]))).toEqual(promised);
    expect(Object.keys(errorTable).sort()).toEqual([...codes].sort());
  });

  test.each(codes)('%s has its status and a default message', (code) => {
    const error = new AppError(code);
    expect([error.code, error.status]).toEqual([code, promised[code]]);
    expect(error.toBody()).toEqual({ code, message: errorTable[code].message });
    expect(error.message).toMatch(/^[A-Z].*[.;]/);
  });
});

describe('the body of an error response', () => {
  test('the body contains message and issues, but not the cause or the wait', () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.5:27017');
    const error = new AppError('SERVICE_UNAVAILABLE', { message: 'Away.', issues: [], retryAfterS: 2, cause });
    expect(error.toBody()).toEqual({ code: 'SERVICE_UNAVAILABLE', message: 'Away.', issues: [] });
    expect([error.retryAfterS, error.cause]).toEqual([2, cause]);
  });

  test('a fault at a path is a VALIDATION_ERROR with one issue', () => {
    expect(invalid(['recipients', 0, 'zip'], 'Too long.').toBody()).toEqual({
      code: 'VALIDATION_ERROR',
      message: errorTable.VALIDATION_ERROR.message,
      issues: [{ path: ['recipients', 0, 'zip'], message: 'Too long.' }],
    });
  });

  test('an unknown code does not compile', () => {
    // @ts-expect-error: not a key of the table.
    expect(() => new AppError('TEAPOT')).toThrow();
  });
});
