// Level: push
import mongoose from 'mongoose';
import { Event } from '#common/events/event.model.ts';
import { MailJob, type MailJobRecord, stepWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { createStepCommitter } from '#common/sandbox/advance/step-committer.ts';
import { afterEach, describe, expect, test } from '#test/support/jest.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { claimedWork } from '#workers/claimed-work.ts';
import { lifecycleWorker } from '#workers/lifecycle.worker.ts';

const sandbox = { stepDelayS: 3_600, pauseS: 600 };

describe('sandbox steps that wait at the same time', () => {
  const world = startWorld({ environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const sessions: mongoose.mongo.ClientSession[] = [];
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.endSession();
  });

  /** Returns newly sent letters, which no worker renders. */
  async function sendLetters(count: number) {
    const sender = await aSender(world);
    const ids = await Promise.all(Array.from({ length: count }, () => sender.sendAccepted(undefined)));
    const jobs = await Promise.all(ids.map(read));
    return { sender, jobs };
  }
  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();
  const statusesOf = async (jobs: readonly MailJobRecord[]) =>
    (await Promise.all(jobs.map(({ _id }) => read(_id)))).map(({ status }) => status);
  const printedEvents = async (jobs: readonly MailJobRecord[]) =>
    await Event.find({ subjectId: { $in: jobs.map(({ _id }) => _id) }, kind: 'MAIL_PRINTED' }).lean();
  const openCommitter = () => createStepCommitter({ clock: world.clock, sandbox });

  test('share a transaction, with one event for each letter', async () => {
    const { jobs } = await sendLetters(20);
    const committer = openCommitter();
    const moved = await Promise.all(jobs.map((job) => committer.step(job)));
    expect(moved.map(({ job }) => job._id)).toEqual(jobs.map(({ _id }) => _id));
    const events = await printedEvents(jobs);
    expect(new Set(events.map(({ _id }) => _id))).toEqual(new Set(moved.map(({ eventId }) => eventId)));
    // All events of a transaction are written with the same time.
    expect([events.length, new Set(events.map(({ at }) => at.getTime())).size]).toEqual([20, 1]);
    for (const { _id } of jobs) {
      const { status, items, printedAt, due } = await read(_id);
      expect([status, items[0]?.status]).toEqual(['printed', 'printed']);
      expect((due.step?.at.getTime() ?? 0) - (printedAt?.getTime() ?? 0)).toBe(3_600_000);
    }
  });

  test('a letter that moved since it was read is refused, and the others move', async () => {
    const { sender, jobs } = await sendLetters(5);
    await sender.http.post(`/v1/mails/${jobs[2]!._id}/simulate`, { to: 'posted' });
    await MailJob.deleteOne({ _id: jobs[4]!._id });
    const committer = openCommitter();
    const outcomes = await Promise.allSettled(jobs.map((job) => committer.step(job)));
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'moved'))).toEqual([
      'moved',
      'moved',
      'CONFLICT',
      'moved',
      'NOT_FOUND',
    ]);
    expect(await statusesOf(jobs.slice(0, 4))).toEqual(['printed', 'printed', 'posted', 'printed']);
    expect(await printedEvents(jobs)).toHaveLength(3);
  });

  test('of two steps of one letter, one moves it', async () => {
    const { jobs } = await sendLetters(2);
    const [twice, once] = jobs as [MailJobRecord, MailJobRecord];
    const committer = openCommitter();
    const outcomes = await Promise.allSettled([twice, once, twice].map((job) => committer.step(job)));
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { reason: { code: 'CONFLICT' } },
    ]);
    expect(await statusesOf(jobs)).toEqual(['printed', 'printed']);
  });

  test('all refused: each gets its own reason, and nothing is written', async () => {
    const { sender, jobs } = await sendLetters(3);
    for (const { _id } of jobs) await sender.http.post(`/v1/mails/${_id}/simulate`, { to: 'posted' });
    await MailJob.deleteOne({ _id: jobs[0]!._id });
    const committer = openCommitter();
    const outcomes = await Promise.allSettled(jobs.map((job) => committer.step(job)));
    const codes = ['NOT_FOUND', 'CONFLICT', 'CONFLICT'].map((code) => ({ reason: { code } }));
    expect(outcomes).toMatchObject(codes);
    expect(await printedEvents(jobs)).toEqual([]);
  });

  test('a letter that another transaction holds does not delay the others until that ends', async () => {
    const { jobs } = await sendLetters(4);
    const [held, ...others] = jobs as [MailJobRecord, ...MailJobRecord[]];
    const session = mongoose.connection.getClient().startSession();
    sessions.push(session);
    session.startTransaction();
    await MailJob.updateOne({ _id: held._id }, { $set: { updatedAt: new Date() } }, { session });
    const committer = openCommitter();
    const waiting = committer.step(held);
    waiting.catch(() => {});
    await Promise.all(others.map((job) => committer.step(job)));
    expect(await statusesOf(jobs)).toEqual(['queued', 'printed', 'printed', 'printed']);
    await session.abortTransaction();
    expect(await waiting).toMatchObject({ previousStatus: 'queued' });
  });

  test('a worker that is stopped meanwhile advances each letter once', async () => {
    const { jobs } = await sendLetters(10);
    const ids = jobs.map(({ _id }) => _id);
    await MailJob.updateMany({ _id: { $in: ids } }, { $set: { 'due.step': newDue(world.clock.now()) } });
    const { clock, hints, workersOptions } = world;
    const worker = claimedWork(lifecycleWorker({ clock, hints, sandbox }), workersOptions);
    const stopping = new AbortController();
    const signals = { closing: stopping.signal, signal: stopping.signal, log: world.log };
    const handled = ids.map((id) => worker.handle(id, signals));
    stopping.abort();
    await Promise.all(handled);
    expect(await printedEvents(jobs)).toHaveLength(10);
    for (const id of ids) {
      const { status, printedAt, due } = await read(id);
      expect([status, due.step?.leaseToken, due.step?.failures]).toEqual(['printed', null, 0]);
      expect((due.step?.at.getTime() ?? 0) - (printedAt?.getTime() ?? 0)).toBe(3_600_000);
    }
    expect(worker.queue).toBe(stepWork.queue);
  });
});
