import { randomUUID } from 'node:crypto';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { claimDue, newDue } from '#common/platform/due-work/due-work.ts';
import { createPauses } from '#common/platform/due-work/pauses.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { Batch, type BatchRecord, pressWork } from '#common/production/batches/batch.model.ts';
import { collectDueJobs } from '#common/production/batches/collect-jobs.ts';
import { createManualProvider } from '#common/production/providers/manual.ts';
import type { PressProvider } from '#common/production/providers/press-provider.ts';
import { createSimulatedProvider } from '#common/production/providers/simulated.ts';
import { runBatch } from '#common/production/submission/run-batch.ts';
import type { PrintRule, ProviderName } from '#common/services.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { plainPrintFile } from '../documents/addressing/build-print-file.ts';
import { openOnce, type StandingClock } from '../jest.ts';
import { aSender } from '../product/customer.ts';
import type { World } from '../product/world.ts';

export type PressSceneOptions = {
  printRules?: readonly PrintRule[];
  providers?: Partial<Record<ProviderName, PressProvider | null>>;
};

const manualOnly: readonly PrintRule[] = [{ zone: null, serviceType: null, provider: 'manual' }];

/**
 * Live letters on their way to press, by a clock that stands: the test collects them and runs their batches. Letters
 * count as rendered when they have a print file of our own writer, which many of them share.
 */
export function startPressScene(world: World, clock: StandingClock, options: PressSceneOptions = {}): PressScene {
  return openOnce(() => openPressScene(world, clock, options));
}

/** Gives a letter a print file of our own writer, as the rendering does. */
export async function renderAs(store: ObjectStore, id: string, { pages, at }: { pages: number; at: Date }) {
  const bytes = plainPrintFile(pages);
  const s3Key = `test/${randomUUID()}`;
  await store.put({ key: s3Key, contentType: 'application/pdf', bytes });
  const { doubleSided } = await MailJob.findById(id).orFail().lean<MailJobRecord>();
  const printFile = {
    ...{ s3Key, sha256: '0'.repeat(64), sizeBytes: bytes.length, pageCount: pages, renderedAt: at },
    ...{ scheme: 'window-left', placement: 'page' },
    ...(doubleSided === false && { doubleSided }),
  };
  await MailJob.updateOne({ _id: id }, { $set: { printFile }, $unset: { 'due.render': '' } });
}

export type PressScene = Awaited<ReturnType<typeof openPressScene>>;

/** Opens the scene of a test whose options are known only after its servers have started. */
export async function openPressScene(world: World, clock: StandingClock, options: PressSceneOptions) {
  // The object store goes by the real time.
  const start = clock.now();
  clock.set(new Date());
  const customer = await aSender(world, { mode: 'live', balanceCents: 10_000_000 });
  await Upload.updateOne({ _id: customer.s3Key }, { $set: { usableUntil: new Date('2100-01-01') } });
  clock.set(start);
  const { hints, log, store, workersOptions } = world;
  const { signal } = new AbortController();
  const deps = {
    ...{ hints, log, store, clock, cutoffs: workersOptions.cutoffs, leaseMs: 30_000 },
    pauses: createPauses(0),
    printRules: options.printRules ?? manualOnly,
    providers: {
      ...{ manual: createManualProvider(), 'hot-folder': null, cups: null, simulated: createSimulatedProvider() },
      ...options.providers,
    },
  };

  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();

  const render = async (id: string, pages = 1) => await renderAs(store, id, { pages, at: clock.now() });

  /** Sends a live letter, and returns its id. */
  async function send(overrides: Record<string, unknown> = {}): Promise<string> {
    const { status, body } = await customer.send(overrides);
    if (status !== 201) throw new Error(`POST /v1/mails answered ${status}: ${JSON.stringify(body)}`);
    return body.mailJobId;
  }

  /** Sends a live letter that is rendered. */
  async function sendRendered(overrides: Record<string, unknown> = {}, pages = 1): Promise<MailJobRecord> {
    const id = await send({ pages, ...overrides });
    await render(id, pages);
    return await read(id);
  }

  async function collect(): Promise<void> {
    while ((await collectDueJobs(deps)) > 0);
  }

  /** Runs the batches that are due until none is. Returns how often one ran. */
  async function runBatches(): Promise<number> {
    for (let runs = 0; ; runs += 1) {
      const due = await Batch.findOne({ 'due.press.at': { $lte: clock.now() } }).lean<BatchRecord>();
      const claim = due && (await claimDue<BatchRecord>(pressWork, due._id, clock.now()));
      if (!claim) return runs;
      await runBatch(claim, deps, signal);
    }
  }

  /** Takes one step of the batch of a letter. */
  async function runOnce(id: string): Promise<void> {
    const { batchId = '' } = await read(id);
    const claim = await claimDue<BatchRecord>(pressWork, batchId, clock.now());
    if (claim) await runBatch(claim, deps, signal);
  }

  /** Lets the batch of a letter close, and brings it to press. Returns the letter. */
  async function bringToPress(id: string): Promise<MailJobRecord> {
    const { closesAt } = await read(id);
    if (clock.now() < closesAt) clock.set(closesAt);
    await collect();
    clock.advance(1_000);
    await runBatches();
    return await read(id);
  }

  const batchOf = async (id: string) => {
    const { batchId } = await read(id);
    return await Batch.findById(batchId).orFail().lean<BatchRecord>();
  };

  /** Puts a batch into a state in which a dead worker left it, due now. */
  async function setState(batchId: string, state: BatchRecord['state']): Promise<void> {
    await Batch.updateOne({ _id: batchId }, { $set: { state, 'due.press': newDue(clock.now()) } });
  }

  return {
    customer,
    deps,
    setState,
    read,
    send,
    render,
    sendRendered,
    collect,
    runBatches,
    runOnce,
    bringToPress,
    batchOf,
  };
}
