// Level: ci
import mongoose from 'mongoose';
import { MailJob, type MailJobRecord, renderWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { type RenderDeps, renderMailJob } from '#common/mail-jobs/render/render-mail-job.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

/** Number of earlier claims without a result: enough for the rendering to fail at once. */
const unfinished = 10;

const world = startWorld({ hasOwnMongo: true });

const releaseLease = async (mailJobId: string) => {
  const free = { 'due.render.leaseToken': null, 'due.render.leaseUntil': null };
  await MailJob.updateOne({ _id: mailJobId }, { $set: free });
};

/** Returns whether an update of mail jobs is in progress. It ends only when a majority has it. */
const isUpdating = async () => {
  const admin = mongoose.connection.getClient().db('admin');
  const { inprog } = await admin.command({ currentOp: 1, 'command.update': MailJob.collection.name });
  return inprog.length > 0;
};

test('a failed rendering whose transaction began before the claim is refunded later', async () => {
  const customer = await world.customer();
  const { body } = await customer.send();
  const read = async () => await MailJob.findById(body.mailJobId).orFail().lean<MailJobRecord>();
  const { store, hints, clock, log } = world;
  const deps = { store, hints, clock, log, sandbox: { stepDelayS: 3_600 } } as RenderDeps;
  const giveUp = async () => {
    const claim = await claimDue<MailJobRecord>(renderWork, body.mailJobId, new Date());
    if (!claim) throw new Error('The rendering is held or not due');
    await renderMailJob({ ...claim, unfinished }, deps, new AbortController().signal);
  };

  let outcome: unknown = null;
  await world.ownMongo?.withOplogHole(async (close) => {
    const end = giveUp().then(
      () => 'finished',
      (error: unknown) => error,
    );
    void end.then((what) => {
      outcome = what;
    });
    await eventually(async () => expect(outcome !== null || (await isUpdating())).toBe(true));
    await close();
    await end;
  });
  expect(outcome).toMatchObject({ code: 'CONFLICT', message: 'The lease of the rendering was lost.' });
  const { status, due } = await read();
  expect([status, due.render !== undefined]).toEqual(['queued', true]);

  await releaseLease(body.mailJobId);
  await giveUp();
  const failed = await read();
  expect(failed).toMatchObject({ status: 'failed', refundedCents: failed.amounts.totalCents });
  expect(failed.due.render).toBeUndefined();
});
