// Level: unit
import { checkMemory, checkRequests, checkRestarts } from '#scripts/soak/checks/judge-run.ts';
import { createRequestLog } from '#scripts/soak/request-log.ts';
import { describe, expect, test } from '../support/jest.ts';

const load = { arrivals: 10, notStarted: 0, mostInFlight: 3 };
const noRecords = { letters: [], bulks: [], violations: [] };

describe('the checks of a soak', () => {
  test('a process that grows by 1 MB a minute is a violation, MongoDB and short lives are not', () => {
    const row = { name: 'API 2', isBounded: true, lifeS: 1_800, fromMb: 1, toMb: 1, mostMb: 1, slopeMb: 0.4 };
    expect(checkMemory([row]).violations).toEqual([]);
    const mongodb = { ...row, name: 'MongoDB', isBounded: false, slopeMb: 9 };
    const short = { ...row, name: 'API 1', slopeMb: null };
    expect(checkMemory([row, mongodb, short]).violations).toEqual([]);
    expect(checkMemory([{ ...row, slopeMb: 1 }]).violations).toEqual(['API 2 grows by 1.00 MB/min']);
    expect(checkMemory([short]).figure).toContain('not judged');
  });

  test('a program that ended without a kill, or was not restarted after one, is a violation', () => {
    const program = (restarts: number) => ({
      name: 'API 1',
      isBounded: true,
      process: undefined,
      restarts,
      kill: never,
    });
    const never = async () => {};
    const faults = [{ kind: 'api' as const }, { kind: 'connections' as const }];
    expect(checkRestarts({ programs: [program(1)], unexpected: [] }, faults).violations).toEqual([]);
    expect(checkRestarts({ programs: [program(0)], unexpected: [] }, faults).violations).toHaveLength(1);
    const ended = { programs: [program(2)], unexpected: ['API 2 ended with exit code 1'] };
    expect(checkRestarts(ended, faults).violations).toEqual(['API 2 ended with exit code 1']);
  });

  test('failed attempts are allowed during faults, and hardly any without', () => {
    const log = createRequestLog();
    const close = log.openWindow();
    log.add('read', performance.now());
    log.fail('503', performance.now());
    expect(checkRequests(log, noRecords, load).violations).toEqual([]);
    close(-1);
    log.fail('ECONNRESET', performance.now());
    expect(checkRequests(log, noRecords, load).violations).toEqual([
      '1 of 1 requests failed without a fault: 1 x ECONNRESET',
    ]);
  });

  test('an arrival that was not started is a violation', () => {
    const check = checkRequests(createRequestLog(), noRecords, { ...load, notStarted: 2 });
    expect(check.violations).toEqual(['2 arrivals were not started: too many were in flight']);
  });

  test('durations count from the intended start, apart for requests that meet a fault', () => {
    const log = createRequestLog();
    log.add('read', performance.now() - 500);
    const close = log.openWindow();
    log.add('read', performance.now() - 600_000);
    close(0);
    const [row] = log.rows();
    expect(row).toMatchObject({ kind: 'read', count: 2, faulty: { count: 1 } });
    expect(row!.quiet.p99).toBeGreaterThanOrEqual(500);
    expect(row!.faulty.p50).toBeGreaterThanOrEqual(600_000);
    expect(row!.quiet.p99).toBeLessThan(row!.faulty.p50);
  });
});
