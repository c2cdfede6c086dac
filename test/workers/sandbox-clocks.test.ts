// Level: ci
import { Event } from '#common/events/event.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { aRequestAddress, aSender, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock, clockStart, plusDays, pretendRendered } from '#test/support/sandbox/test-clock.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';

const minuteMs = 60_000;
const afterStart = (seconds: number) => new Date(Date.parse(clockStart) + seconds * 1_000).toISOString();

describe('letters on a test clock', () => {
  const world = startWorld({
    hasWorkers: true,
    environment: { SANDBOX_STEP_DELAY_S: '1', RETENTION_ADDRESS_DAYS: '10' },
  });
  const sender = openOnce(() => aSender(world));
  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();
  const detail = async (id: string) => (await sender.http.get(`/v1/mails/${id}`)).body;
  const eventsOf = async (id: string) =>
    (
      await Event.find({ $or: [{ subjectId: id }, { mailJobId: id }] })
        .sort({ _id: 1 })
        .lean()
    ).map(({ body }) => {
      const { event, ...rest } = JSON.parse(body);
      return [event, rest.queuedAt ?? rest.printedAt ?? rest.postedAt ?? rest.deliveredAt ?? rest.returnedAt];
    });

  test('a registered letter is printed, posted and delivered by its clock, and not before', async () => {
    const clock = await aTestClock(sender);
    const { body } = await sender.send({ sandboxClockId: clock.id, serviceType: 'registered' });
    const { mailJobId: id, dropAt } = body;
    const closesAt = new Date(Date.parse(dropAt) - 90 * minuteMs).toISOString();
    const justBefore = (time: string) => new Date(Date.parse(time) - 1).toISOString();
    // Waits for the rendering, which takes longer than the steps of a letter without a clock.
    await clock.advance(justBefore(closesAt));
    expect((await read(id)).printFile).not.toBeNull();
    expect(await detail(id)).toMatchObject({ status: 'queued', actions: ['cancel', 'reschedule', 'simulate'] });
    await clock.advance(closesAt);
    expect(await detail(id)).toMatchObject({ status: 'printed', printedAt: closesAt });
    await clock.advance(justBefore(dropAt));
    expect((await detail(id)).status).toBe('printed');
    await clock.advance(plusDays(dropAt, 3));
    const moments = { queuedAt: clockStart, postedAt: dropAt, deliveredAt: plusDays(dropAt, 1) };
    expect(await detail(id)).toMatchObject({ status: 'delivered', ...moments });
    expect(await eventsOf(id)).toEqual([
      ['MAIL_QUEUED', clockStart],
      ['MAIL_PRINTED', closesAt],
      ['MAIL_POSTED', dropAt],
      ['MAIL_DELIVERED', plusDays(dropAt, 1)],
    ]);
    // What others go by stays on the wall clock.
    expect(Date.parse((await detail(id)).updatedAt)).toBeLessThanOrEqual(Date.now());
  });

  test('scheduledDropAt, outcomes and refunds follow the clock, and the ledger the time of day', async () => {
    const clock = await aTestClock(sender);
    const balanceCents = await sender.balanceCents();
    const lines = ['sandbox:deposit-failure', 'sandbox:unclaimed', 'sandbox:refused', 'Rue Haute 1'];
    const recipients = lines.map((line1) => aRequestAddress({ line1 }));
    const scheduledDropAt = plusDays(clockStart, 40);
    const letter = { sandboxClockId: clock.id, serviceType: 'registered', recipients, scheduledDropAt };
    const { body } = await sender.send(letter);
    await pretendRendered(body.mailJobId);
    expect(body.dropAt >= scheduledDropAt).toBe(true);
    await clock.advance(plusDays(body.dropAt, 10));
    const states = async () =>
      (await detail(body.mailJobId)).recipients.map((each: { status: string; returned: object | null }) => [
        each.status,
        each.returned,
      ]);
    const refused = { reason: 'refused', at: plusDays(body.dropAt, 3) };
    expect(await states()).toEqual([
      ['failed', null],
      ['posted', null],
      ['posted', refused],
      ['delivered', null],
    ]);
    await clock.advance(plusDays(body.dropAt, 20));
    expect((await states())[1]).toEqual(['posted', { reason: 'unclaimed', at: plusDays(body.dropAt, 17) }]);
    const refund = (await ledgerOf(sender)).findLast(({ kind }) => kind === 'refund');
    expect(refund?.mailJobId).toBe(body.mailJobId);
    expect(refund?.at.getTime()).toBeLessThanOrEqual(Date.now());
    const { refundedCents, totalCents } = await detail(body.mailJobId);
    expect(await sender.balanceCents()).toBe(balanceCents - totalCents + refundedCents);
    expect(await findViolations()).toEqual([]);
  });

  test('print file and recipients are removed by the clock', async () => {
    const clock = await aTestClock(sender);
    const { body } = await sender.send({ sandboxClockId: clock.id });
    await clock.advance(plusDays(clockStart, 6.9));
    expect((await read(body.mailJobId)).printFile?.removedAt).toBeUndefined();
    await clock.advance(plusDays(clockStart, 7.1));
    expect((await read(body.mailJobId)).printFile?.removedAt).toEqual(new Date(plusDays(clockStart, 7)));
    await clock.advance(plusDays(body.dropAt, 9.9));
    expect((await detail(body.mailJobId)).recipients[0].name).toBe('Ada Peeters');
    await clock.advance(plusDays(body.dropAt, 10));
    expect((await detail(body.mailJobId)).recipients[0].name).toBe('REDACTED');
  });

  test('clocks disturb neither each other nor letters without one', async () => {
    const first = await aTestClock(sender);
    const third = await aTestClock(sender);
    const standing = await aTestClock(sender);
    const clocks = [first, standing, third, await aTestClock(sender)];
    const sent = await Promise.all(clocks.map(({ id }) => sender.send({ sandboxClockId: id })));
    const ids = sent.map(({ body }) => body.mailJobId as string);
    await pretendRendered(...ids);
    const dropAt = sent[0]?.body.dropAt;
    await Promise.all([first.advance(dropAt), third.advance(plusDays(dropAt, 50))]);
    const statuses = await Promise.all(ids.map(async (id) => (await read(id)).status));
    expect(statuses).toEqual(['posted', 'queued', 'posted', 'queued']);
    expect((await standing.get()).now).toBe(clockStart);
    for (const id of ids) expect((await read(id)).due).toEqual({});
  });

  test('the timeline of a letter whose clock is in the past has the times of the clock, in their order', async () => {
    const startsAt = plusDays(clockStart, -200);
    const clock = await aTestClock(sender, startsAt);
    const { body } = await sender.send({ sandboxClockId: clock.id });
    await clock.advance(body.dropAt);
    const { data } = (await sender.http.get(`/v1/mails/${body.mailJobId}/timeline`)).body;
    expect(data.map(({ kind, at }: { kind: string; at: string }) => [kind, at])).toEqual([
      ['queued', startsAt],
      ['rendered', startsAt],
      ['printed', new Date(Date.parse(body.dropAt) - 90 * minuteMs).toISOString()],
      ['posted', body.dropAt],
    ]);
  });

  test('retries to the own URL of a letter are sent as soon as its clock is advanced', async () => {
    const receiver = await openReceiver();
    // By the time of day, each further attempt is a minute or more after a 503.
    receiver.answerWith(() => 503);
    const clock = await aTestClock(sender);
    const { mailJobId } = (await sender.send({ sandboxClockId: clock.id, webhookUrl: receiver.url })).body;
    await pretendRendered(mailJobId);
    const attempted = async (attempt: number) =>
      await eventually(async () => expect(await Delivery.findOne({ mailJobId }).lean()).toMatchObject({ attempt }));
    await attempted(1);
    // So far that the second attempt falls due, and not the third, however late the second is made.
    await clock.advance(afterStart(100));
    await attempted(2);
    receiver.answerWith(() => 200);
    await clock.advance(afterStart(1_000));
    await attempted(3);
    expect(await Delivery.findOne({ mailJobId }).lean()).toMatchObject({ state: 'delivered' });
    await receiver.close();
  });

  test('simulate, cancel and reschedule go by the time of the clock', async () => {
    const clock = await aTestClock(sender);
    const send = async () => (await sender.send({ sandboxClockId: clock.id })).body.mailJobId as string;
    const [moved, cancelled, later] = [await send(), await send(), await send()];
    await pretendRendered(moved, cancelled, later);
    const slow = { sandboxClockId: clock.id, recipients: [aRequestAddress({ line1: 'sandbox:slow' })] };
    const { closesAt } = await read(later);
    expect((await detail(later)).cancellableUntil).toBe(closesAt.toISOString());
    expect((await sender.send(slow)).body.cancellableUntil).toBe(plusDays(closesAt.toISOString(), 9));
    await sender.http.post(`/v1/mails/${moved}/simulate`);
    expect(await detail(moved)).toMatchObject({ status: 'printed', printedAt: clockStart });
    const { body } = await sender.http.post(`/v1/mails/${cancelled}/cancel`, {});
    expect(body).toMatchObject({ status: 'failed', failedAt: clockStart });
    const patched = await sender.http.patch(`/v1/mails/${later}`, { scheduledDropAt: plusDays(clockStart, 20) });
    expect(patched.status).toBe(200);
    const { dropAt } = await detail(moved);
    await clock.advance(dropAt);
    expect([(await read(moved)).status, (await read(cancelled)).status]).toEqual(['posted', 'failed']);
    expect((await read(later)).status).toBe('queued');
    await clock.advance(patched.body.dropAt);
    expect(await detail(later)).toMatchObject({ status: 'posted', postedAt: patched.body.dropAt });
  });
});
