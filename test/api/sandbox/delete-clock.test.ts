// Level: push
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { SandboxClock } from '#common/sandbox/clocks/sandbox-clock.model.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock, pretendRendered } from '#test/support/sandbox/test-clock.ts';

describe('DELETE /v1/sandbox/clocks/{id}', () => {
  const world = startWorld({ hasWorkers: true });
  const isGone = async (id: string) =>
    await eventually(async () => expect(await SandboxClock.countDocuments({ _id: id })).toBe(0));

  test('its letters stay, without a clock, and only simulate advances them', async () => {
    const sender = await aSender(world);
    const clock = await aTestClock(sender);
    const { mailJobId } = (await sender.send({ sandboxClockId: clock.id })).body;
    await pretendRendered(mailJobId);
    expect(await sender.http.delete(clock.path)).toMatchObject({ status: 200, body: { deleted: true } });
    expect((await sender.http.get(clock.path)).status).toBe(404);
    expect((await sender.http.delete(clock.path)).status).toBe(404);
    await isGone(clock.id);
    const job = await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();
    expect([job.clock, job.status, job.due, job.retention]).toEqual([undefined, 'queued', {}, undefined]);
    await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'posted' });
    expect((await sender.http.get(`/v1/mails/${mailJobId}`)).body.sandboxClockId).toBeNull();
  });

  test('a registered letter on its way counts its 60 days from then on, a redacted one none', async () => {
    const sender = await aSender(world);
    const clock = await aTestClock(sender);
    const before = Date.now();
    const ids = await Promise.all(
      ['registered', 'standard'].map(async (serviceType) => {
        const { mailJobId } = (await sender.send({ sandboxClockId: clock.id, serviceType })).body;
        await pretendRendered(mailJobId);
        await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'posted' });
        return mailJobId as string;
      }),
    );
    const [onItsWay, redacted] = ids.map((id) => `/v1/mails/${id}`);
    expect((await sender.http.post(`${redacted}/redact`)).status).toBe(200);
    expect((await sender.http.post(`${onItsWay}/redact`)).status).toBe(409);
    await sender.http.delete(clock.path);
    await isGone(clock.id);
    const jobs = await Promise.all(ids.map((id) => MailJob.findById(id).orFail().lean<MailJobRecord>()));
    const from = jobs[0]?.retention?.addressesFrom?.getTime() ?? 0;
    const sixtyDaysMs = 60 * 24 * 3_600_000;
    expect([from >= before + sixtyDaysMs, from <= Date.now() + sixtyDaysMs]).toEqual([true, true]);
    expect(jobs[1]?.retention?.addressesFrom).toBeUndefined();
  });

  test('a clock of 30 days is deleted', async () => {
    const clock = await aTestClock(await aSender(world));
    const at = new Date();
    await SandboxClock.updateOne({ _id: clock.id }, { $set: { deletesAt: at, 'due.at': at } });
    await isGone(clock.id);
  });
});
