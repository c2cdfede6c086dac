// Level: ci
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditEntry } from '#common/audit/audit.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { prepareProviders } from '#common/production/submission/create-providers.ts';
import { afterAll, afterEach, describe, expect, test } from '../support/jest.ts';
import { killStartedPrograms, type Program, startNode } from '../support/processes/process-control.ts';
import { startWorld } from '../support/product/world.ts';

const root = join(import.meta.dirname, '../..');
const dataDir = await mkdtemp(join(tmpdir(), 'bluejay live letter '));
const hotFolder = join(dataDir, 'press');
await prepareProviders({ hotFolder, cupsPrinter: null });
const script = `
  import { readConfig } from './common/config/config.ts';
  import { isPrintedByHotFolder, sendLiveLetter } from './scripts/demo/live-letter.ts';
  const config = readConfig(process.env);
  if (isPrintedByHotFolder(config)) await sendLiveLetter(config, process.env.LIVE_KEY);`;

describe('the live letter of the demonstration', () => {
  const print = { DATA_DIR: dataDir, HOT_FOLDER: hotFolder, PRINT_PROVIDERS: 'hot-folder' };
  const world = startWorld({ hasWorkers: true, environment: print });
  afterEach(killStartedPrograms);
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  /** Sends it to the service of this test from a separate process. */
  function start(key: string, variables: Record<string, string> = {}): Program {
    const PORT = new URL(world.url).port;
    const environment = { ...world.environment, ...variables, PORT, LIVE_KEY: key };
    return startNode(['--input-type=module', '-e', script], { environment, cwd: root });
  }
  const toldBy = (program: Program) =>
    [...program.standardOutput().matchAll(/^✓ (.*?) {2,}([\d.]+) s(?: {2}(.*))?$/gm)].map(([, what]) => what);

  test('it goes through the hot folder to the post office, and each step is printed', async () => {
    const customer = await world.customer({ mode: 'live', balanceCents: 100_000 });
    const program = start(customer.key);
    expect([await program.ended, program.output()]).toEqual([0, expect.any(String)]);
    expect(toldBy(program)).toEqual([
      ...['Live letter sent', 'Rendered', 'Batch closed early', 'Ready for the printer', 'Result file written'],
      ...['Printed', 'Posted', 'Timeline'],
    ]);
    const [job] = (await customer.http.get('/v1/mails')).body.data;
    expect(job).toMatchObject({ status: 'posted', serviceType: 'standard' });
    expect(await customer.balanceCents()).toBe(100_000 - job.totalCents);

    const { batchId = '', items } = await MailJob.findById(job.mailJobId).orFail().lean<MailJobRecord>();
    expect((await Batch.findById(batchId).orFail()).state).toBe('posted');
    const folder = join(hotFolder, 'out', batchId);
    expect(program.standardOutput()).toContain(folder);
    const files = await readdir(folder, { recursive: true });
    const copy = `items/00001-${items[0]?.itemId}.pdf`;
    expect(files.sort()).toEqual(['deposit-slip.pdf', 'items', copy, 'job-ticket.pdf', 'manifest.json']);
    for (const name of files.filter((each) => each.includes('.'))) {
      expect(program.standardOutput()).toMatch(new RegExp(`^ +${name}, [\\d.]+ kB$`, 'm'));
    }
    expect(await readdir(join(hotFolder, 'results/done'))).toEqual([`${batchId}.json`]);
    const done = JSON.parse(await readFile(join(hotFolder, 'results/done', `${batchId}.json`), 'utf8'));
    expect(done).toEqual({ schemaVersion: 1, batchId, result: 'printed' });
    const actions = await AuditEntry.find({ 'actor.id': 'demo' }).sort({ _id: 1 }).lean();
    expect(actions.map(({ action }) => action)).toEqual(['batch.closed-early', 'batch.posted']);
  });

  test('it closes no batch that other live letters wait for', async () => {
    const other = await world.customer({ mode: 'live', balanceCents: 100_000 });
    const waiting = await other.sendAccepted();
    const program = start((await world.customer({ mode: 'live', balanceCents: 100_000 })).key);
    expect([await program.ended, program.output()]).toEqual([0, expect.any(String)]);
    expect(toldBy(program)).toEqual(['Live letter sent', 'Rendered', 'Waits for its batch']);
    const { status, batchId, closesAt } = await MailJob.findById(waiting).orFail().lean<MailJobRecord>();
    expect([status, batchId, closesAt > new Date()]).toEqual(['queued', undefined, true]);
  });

  test.each([
    ['another provider', { PRINT_PROVIDERS: 'manual' }],
    ['a hot folder that is not that of npm start', { HOT_FOLDER: join(tmpdir(), 'printer') }],
  ])('with %s it is not sent: it might be printed', async (_what, variables) => {
    const customer = await world.customer({ mode: 'live', balanceCents: 100_000 });
    const program = start(customer.key, variables);
    expect([await program.ended, program.output()]).toEqual([0, '']);
    expect((await customer.http.get('/v1/mails')).body.data).toEqual([]);
  });
});
