// Level: ci
import { Event } from '#common/events/event.model.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { afterEach, eventually, expect, test } from '#test/support/jest.ts';
import { dyingAfter, killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { aRequestAddress, aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock, plusDays, pretendRendered } from '#test/support/sandbox/test-clock.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

const world = startWorld({ environment: { WORK_LEASE_S: '3' } });
afterEach(killStartedPrograms);

const letters = 60;

test('an advance whose worker is killed is resumed, and each step is taken once', async () => {
  const sender = await aSender(world, { balanceCents: 1_000_000 });
  const clock = await aTestClock(sender);
  const lines = ['sandbox:deposit-failure', 'sandbox:undeliverable', 'Rue Haute 1'];
  const recipients = lines.map((line1) => aRequestAddress({ line1 }));
  const letter = { sandboxClockId: clock.id, serviceType: 'registered', recipients };
  const sent = await Promise.all(Array.from({ length: letters }, () => sender.send(letter)));
  expect(sent.map(({ status }) => status)).toEqual(Array(letters).fill(201));
  const ids = sent.map(({ body }) => body.mailJobId as string);
  await pretendRendered(...ids);
  const steps = async () => await ItemHistory.countDocuments({ mailJobId: { $in: ids } });
  const balanceCents = await sender.balanceCents();
  const to = plusDays(sent[0]?.body.dropAt, 10);

  // Two are killed: after the first steps, and after the first refund. One commit takes neither all prints nor all refunds.
  expect((await clock.start(to)).status).toBe(200);
  for (let kills = 0; kills < 2; kills += 1) {
    const before = await steps();
    const dying = dyingAfter('commitTransaction', kills === 0 ? 'item_history' : 'ledger_entries');
    const environment = { ...world.environment, WORKERS: 'lifecycle,scanner', ...dying };
    const workers = await startProductProcess('workers/main.ts', environment);
    expect(await workers.ended).toBe('SIGKILL');
    expect(await steps()).toBeGreaterThan(before);
    expect((await clock.get()).status).toBe('advancing');
  }
  await startProductProcess('workers/main.ts', world.environment);
  await eventually(async () => expect(await clock.get()).toMatchObject({ status: 'ready', now: to }));

  const jobs = await MailJob.find({ _id: { $in: ids } }).lean();
  for (const { items, dropAt, postedAt } of jobs) {
    expect(items.map(({ status }) => status)).toEqual(['failed', 'posted', 'delivered']);
    expect(items[1]?.returned).toEqual({ reason: 'unknown_address', at: new Date(plusDays(dropAt.toISOString(), 5)) });
    expect(postedAt).toEqual(dropAt);
  }
  // Printed three times, posted twice, failed with its refund, returned, delivered.
  expect(await steps()).toBe(letters * 9);
  const kinds = await Event.find({ $or: [{ subjectId: { $in: ids } }, { mailJobId: { $in: ids } }] }).lean();
  const counts = Object.groupBy(kinds, ({ kind }) => kind);
  expect(Object.fromEntries(Object.entries(counts).map(([kind, rows]) => [kind, rows?.length]))).toEqual({
    ...{ MAIL_QUEUED: letters, MAIL_PRINTED: letters, MAIL_POSTED: letters, ITEM_RETURNED: letters },
  });
  const refundedCents = jobs.reduce((sum, job) => sum + job.refundedCents, 0);
  expect(await sender.balanceCents()).toBe(balanceCents + refundedCents);
  expect(await findViolations()).toEqual([]);
});
