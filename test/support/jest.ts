import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as jestGlobals from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import type { Clock } from '#common/clock.ts';
import { useBundleFile } from '#common/documents/isolation/bundle-program.ts';
import { hangMessage } from './hang-message.ts';

/** The functions of jest. The runner loads test files natively, where `@jest/globals` is not available. */
const runner = globalThis as unknown as typeof jestGlobals;

export const { describe, expect, jest } = runner;

// Of the test run, as API and workers take them.
useBundleFile(process.env.DOCUMENT_BUNDLES);

type Body = (...values: never[]) => unknown;
type Each = typeof runner.test.each;
type AnyEach = (table: readonly unknown[]) => (title: string, body: Body) => void;

/**
 * Ends what hangs: a wait in which nothing changes, an answer that never comes, a browser that stands still. No claim rests
 * on it, so it is long enough for any machine.
 */
export const guardMs = 120_000;
/** Ends a test that hangs elsewhere. A test may start several programs one after the other, each below the guard. */
const hangMs = Number(process.env.TEST_HANG_MS ?? 7 * guardMs);

/** The test file in which a test hung. What it began may still be at work there, so nothing else runs in that file. */
let endedFile: string | undefined;

/**
 * Fails a test that hangs or leaves a rejection unhandled. The runner does neither: a test that hangs would hold the run,
 * and an unhandled rejection would end the process with all of its test files. A hang ends the file: its other tests
 * fail at once, its worlds are closed, and the runner replaces the process.
 */
function limited(body: Body, runsAfterHang = false): () => Promise<void> {
  return async (...values: unknown[]) => {
    const file = expect.getState().testPath;
    if (endedFile === file && !runsAfterHang) throw new Error('Not run, because a test of this file hung before');
    const { promise: fault, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      endedFile = file;
      reject(new Error(`${hangMessage} ${hangMs / 1_000} s`));
    }, hangMs);
    process.on('unhandledRejection', reject);
    try {
      await Promise.race([body(...(values as never[])), fault]);
    } finally {
      clearTimeout(timer);
      process.off('unhandledRejection', reject);
    }
  };
}

const limitHook = (hook: (body: () => Promise<void>) => void, runsAfterHang: boolean) => (body: Body) =>
  hook(limited(body, runsAfterHang));

export const beforeAll = limitHook(runner.beforeAll, false);
export const afterAll = limitHook(runner.afterAll, true);
export const beforeEach = limitHook(runner.beforeEach, false);
export const afterEach = limitHook(runner.afterEach, true);

const each = (table: readonly unknown[]) => (title: string, body: Body) =>
  (runner.test.each as unknown as AnyEach)(table)(title, limited(body));

/** As jest's `test`: a title and a body. `test.each` takes an array. */
export const test = Object.assign((title: string, body: Body): void => runner.test(title, limited(body)), {
  each: each as Each,
  skip: (title: string): void => runner.test.skip(title, () => {}),
});

/**
 * Opens something before the tests of a file or block, and closes it after them if it has a `close`. Returns it at
 * once, for the tests to use: it has no properties before it is open.
 */
export function openOnce<T extends object>(open: () => Promise<T>): T {
  const target = {} as T & { close?: () => Promise<unknown> };
  let isOpen = false;
  beforeAll(async () => {
    Object.assign(target, await open());
    isOpen = true;
  });
  afterAll(async () => {
    await target.close?.();
  });
  return new Proxy(target, {
    get(opened, name) {
      if (!isOpen) throw new Error(`${String(name)} is used before beforeAll has opened it`);
      return opened[name as keyof T];
    },
  });
}

/** Checks a claim with 500 random values of these kinds. */
export function forAny<T extends unknown[]>(
  kinds: { [K in keyof T]: Arbitrary<T[K]> },
  claim: (...of: T) => void,
): void {
  const property = fc.property(fc.tuple<T>(...kinds), (values) => claim(...values));
  fc.assert(property, { numRuns: 500 });
}

const pauseMs = 20;
/** A longer step between two checks was held up by a pause of this process, in which it could see nothing. */
const maxStepMs = 200;

/**
 * Calls `check` until it does not throw, and returns its result. Throws its failure once that has been the same for the
 * common guard: a wait fails because nothing happens any more, never because it takes long. A pause between two checks
 * counts as 200 ms at most.
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  let last: string | undefined;
  let unchangedMs = 0;
  for (;;) {
    const checkedMs = performance.now();
    try {
      return await check();
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      if (failure !== last) unchangedMs = 0;
      if (unchangedMs > guardMs) throw error;
      last = failure;
    }
    const steppedMs = performance.now();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    unchangedMs += steppedMs - checkedMs + Math.min(performance.now() - steppedMs, maxStepMs);
  }
}

/** A clock that only moves when a test sets it, for exact checks of time limits. */
export type StandingClock = Clock & { set(at: Date): void; advance(ms: number): void };

/** Creates a clock that starts at the present, because the object store checks signatures against the real time. */
export function standingClock(start: Date = new Date()): StandingClock {
  let present = start;
  return {
    now: () => present,
    set: (at) => {
      present = at;
    },
    advance: (ms) => {
      present = new Date(present.getTime() + ms);
    },
  };
}

/** Returns a function that creates folders, removed after each test. Names contain a space, as real ones do. */
export function useTempFolders(): () => Promise<string> {
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
  });
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bluejay test '));
    folders.push(folder);
    return folder;
  };
}

/**
 * Returns how often a test repeats a race or a fault: `quick` in `npm test`, `full` with TEST_LEVEL=full (`.ci/run`), `long`
 * with TEST_LEVEL=long (`.ci/long`).
 */
export function byLevel<T>({ quick, full, long = full }: { quick: T; full: T; long?: T }): T {
  const { TEST_LEVEL } = process.env;
  return TEST_LEVEL === 'long' ? long : TEST_LEVEL === 'full' ? full : quick;
}

/**
 * Returns `test` if what it needs is there. Otherwise the tests are skipped, and their titles and the last line of the
 * run name what is missing.
 */
export function testWith(what: string, isThere: boolean): typeof test {
  if (isThere) return test;
  return withTitle((title) => test.skip(`${title} [no ${what}]`));
}

/** As `testWith`, for a tool that can be installed. In CI its tests fail, because a suite that never runs is useless. */
export function testWithTool(tool: string, isThere: boolean): typeof test {
  if (isThere || process.env.CI !== 'true') return testWith(tool, isThere);
  return withTitle((title) => {
    test(title, () => {
      throw new Error(`CI must run this test, but there is no ${tool}`);
    });
  });
}

/** As `testWithTool`, for programs on PATH. */
export function testWithPrograms(...programs: string[]): typeof test {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  return testWithTool(missing.join(', '), missing.length === 0);
}

/** Returns the path of a program on PATH. */
export function findProgram(name: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

function withTitle(declare: (title: string) => void): typeof test {
  const each = () => (title: string) => declare(title);
  return Object.assign(declare, { each, skip: declare }) as unknown as typeof test;
}
