// Level: ci
import { addTrackingRange } from '#common/production/tracking/manage-ranges.ts';
import { afterAll, beforeAll, describe, eventually, expect, test } from '../support/jest.ts';
import { killStartedPrograms, type Program, startProductProcess } from '../support/processes/process-control.ts';
import { startWorld } from '../support/product/world.ts';

/** What is stored once for all processes. */
const counted = [
  'bullmq_jobs',
  'delivery_due_backlog',
  'delivery_oldest_due_seconds',
  'endpoint_breaker_open',
  'ledger_reconcile_age_seconds',
  'press_batches_for_operator',
  'press_letters_without_provider',
  'press_tracking_numbers_left',
  'wallet_invariant_violations',
  'work_oldest_due_seconds',
];

describe('two worker processes', () => {
  const world = startWorld();
  let workers: { program: Program; url: string }[] = [];

  beforeAll(async () => {
    const range = { indicator: 'RR', country: 'BE', firstSerial: 1, lastSerial: 9, automaticZones: [], note: null };
    await addTrackingRange(range, undefined, new Date());
    const environment = { ...world.environment, METRICS_PORT: '0', LOG_LEVEL: 'info' };
    workers = await Promise.all([startWorker(environment), startWorker(environment)]);
  });
  afterAll(killStartedPrograms);

  async function startWorker(environment: Record<string, string | undefined>) {
    const program = await startProductProcess('workers/main.ts', environment);
    const line = await program.waitForLine(/"metricsPort"/);
    return { program, url: `http://127.0.0.1:${JSON.parse(line).metricsPort}/metrics` };
  }

  /** Returns the counted metrics that a process shows. */
  async function shownBy({ url }: { url: string }): Promise<string[]> {
    const text = await (await fetch(url)).text();
    return counted.filter((name) => new RegExp(`^${name}(\\{.*)? [\\d.e+-]+$`, 'm').test(text));
  }

  test('one counts what is stored for all, and the other takes over when it is killed', async () => {
    const shown = () => Promise.all(workers.map(shownBy));
    // The first reconciliation runs a moment after the start.
    await eventually(async () => expect((await shown()).sort()).toEqual([[], counted]));
    const [first] = await shown();
    const holder = first?.length === 0 ? workers[1] : workers[0];
    workers = workers.filter((worker) => worker !== holder);
    holder?.program.kill('SIGKILL');
    await holder?.program.ended;
    await eventually(async () => expect(await shown()).toEqual([counted]));
  });
});
