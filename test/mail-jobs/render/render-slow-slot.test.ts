// Level: push
import { createRenderSlots, defaultSlotSettings } from '#common/documents/isolation/render-slots.ts';
import { MailJob, type MailJobRecord, renderWork, slowRenderWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { type RenderDeps, renderMailJob } from '#common/mail-jobs/render/render-mail-job.ts';
import { claimDue, type DueSlot } from '#common/platform/due-work/due-work.ts';
import { expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

const world = startWorld();
const { signal } = new AbortController();

test('a letter that waits for the slow slot holds no claim, loses no attempt and is rendered in the end', async () => {
  const customer = await world.customer();
  const id = await customer.sendAccepted();
  const read = async () => await MailJob.findById(id).orFail().lean<MailJobRecord>();
  // Without a budget each render needs the slow slot at once.
  const slots = createRenderSlots({ ...defaultSlotSettings, fastCpuMs: -1 });
  const { store, hints, clock, log, workersOptions } = world;
  const deps: RenderDeps = {
    ...{ store, hints, clock, log, slots, warmPool: null, envelopeWindow: workersOptions.envelopeWindow },
    sandbox: workersOptions.sandbox,
  };
  const renderAs = async (work: DueSlot) => {
    const claim = await claimDue<MailJobRecord>(work, id, clock.now());
    if (!claim) throw new Error(`The letter is not due in ${work.path}`);
    await renderMailJob(claim, deps, signal);
  };

  const other = await slots.acquire(signal, { pool: 'slow' });
  await renderAs(renderWork);
  const waiting = await read();
  expect([waiting.status, waiting.printFile]).toEqual(['queued', null]);
  expect(waiting.due.render).toBeUndefined();
  expect(waiting.due.slowRender).toMatchObject({ leaseToken: null, failures: 0, unfinished: 0 });
  // The fast slots are free meanwhile.
  for (const slot of [await slots.acquire(signal), await slots.acquire(signal)]) slot.release();

  other.release();
  await renderAs(slowRenderWork);
  const { printFile, due } = await read();
  expect(printFile).toMatchObject({ pageCount: 1 });
  expect(due.slowRender).toBeUndefined();
});
