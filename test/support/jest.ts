import type * as jestGlobals from '@jest/globals';

/** The functions of jest. The runner loads test files natively, where `@jest/globals` is not available. */
const runner = globalThis as unknown as typeof jestGlobals;

export const { describe, expect, jest } = runner;

type Body = (...values: never[]) => unknown;
type Each = typeof runner.test.each;
type AnyEach = (table: readonly unknown[]) => (title: string, body: Body) => void;

const defaultLimitMs = 60_000;

/**
 * Fails a test that takes longer than its limit in ms or leaves a rejection unhandled. The runner does neither: a test
 * that hangs would hold the run, and an unhandled rejection would end the process with all of its test files.
 */
function limited(body: Body, limitMs = defaultLimitMs): () => Promise<void> {
  return async (...values: unknown[]) => {
    const { promise: fault, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`Not over after ${limitMs / 1000} s`)), limitMs);
    process.on('unhandledRejection', reject);
    try {
      await Promise.race([body(...(values as never[])), fault]);
    } finally {
      clearTimeout(timer);
      process.off('unhandledRejection', reject);
    }
  };
}

function limitHook(hook: (body: () => Promise<void>) => void) {
  return (body: Body, limitMs?: number): void => hook(limited(body, limitMs));
}

export const beforeAll = limitHook(runner.beforeAll);
export const afterAll = limitHook(runner.afterAll);
export const beforeEach = limitHook(runner.beforeEach);
export const afterEach = limitHook(runner.afterEach);

const each = (table: readonly unknown[]) => (title: string, body: Body, limitMs?: number) =>
  (runner.test.each as unknown as AnyEach)(table)(title, limited(body, limitMs));

/** As jest's `test`: a title, a body, and a time limit in ms where 60 s are too short. `test.each` takes an array. */
export const test = Object.assign(
  (title: string, body: Body, limitMs?: number): void => runner.test(title, limited(body, limitMs)),
  { each: each as Each, skip: (title: string): void => runner.test.skip(title, () => {}) },
);
