// Level: push
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { maxSteps } from '#common/mail-jobs/read/timeline.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { aPostalAddress, aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/mails/{id}/timeline', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const sender = openOnce(() => aSender(world));
  const timelineOf = async (id: string) => (await sender.http.get(`/v1/mails/${id}/timeline`)).body.data;

  test('lists the steps of the letter and of each copy, oldest first', async () => {
    const { body } = await sender.send({ recipients: [aPostalAddress(), aPostalAddress({ name: 'Grace' })] });
    const id = body.mailJobId;
    const [first, second] = body.recipients.map(({ itemId }: { itemId: string }) => itemId);
    const at = [clock.now().toISOString()];
    expect(await timelineOf(id)).toEqual([{ at: at[0], itemId: null, kind: 'queued', detail: {} }]);

    clock.advance(1_000);
    at.push(clock.now().toISOString());
    const placed = { scheme: 'window-left', placement: 'page' };
    const printFile = { s3Key: 'k', sha256: 'f', sizeBytes: 1, pageCount: 2, renderedAt: clock.now(), ...placed };
    await MailJob.updateOne({ _id: id }, { $set: { printFile } });
    clock.advance(1_000);
    at.push(clock.now().toISOString());
    await sender.http.post(`/v1/mails/${id}/simulate`);
    clock.advance(1_000);
    at.push(clock.now().toISOString());
    await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'failed' });

    const failure = { code: 'SIMULATED', message: expect.any(String) };
    const refund = { transactionId: expect.stringMatching(/^txn_/), amountCents: expect.any(Number) };
    expect(await timelineOf(id)).toEqual([
      { at: at[0], itemId: null, kind: 'queued', detail: {} },
      { at: at[1], itemId: null, kind: 'rendered', detail: { pages: 2 } },
      { at: at[2], itemId: first, kind: 'printed', detail: {} },
      { at: at[2], itemId: second, kind: 'printed', detail: {} },
      { at: at[3], itemId: first, kind: 'failed', detail: failure },
      { at: at[3], itemId: first, kind: 'refunded', detail: refund },
      { at: at[3], itemId: second, kind: 'failed', detail: failure },
      { at: at[3], itemId: second, kind: 'refunded', detail: refund },
    ]);
  });

  test('a letter with more steps than are listed shows the latest ones', async () => {
    const { body } = await sender.send();
    const { mailJobId, recipients } = body;
    const [{ itemId }] = recipients;
    const { organizationId, mode } = sender;
    const about = { mailJobId, organizationId, mode, itemId, by: 'press', kind: 'postponed', detail: {} } as const;
    const steps = Array.from({ length: maxSteps + 1 }, (_, index) => {
      return { ...about, _id: `${itemId}:postponed:${index}`, at: new Date(clock.now().getTime() + 1 + index) };
    });
    await rowsOf<(typeof steps)[number]>(ItemHistory).insertMany(steps);
    const listed = await timelineOf(mailJobId);
    expect(listed).toHaveLength(1 + maxSteps);
    expect([listed[1].at, listed.at(-1).at]).toEqual([steps[1]?.at.toISOString(), steps.at(-1)?.at.toISOString()]);
  });
});
