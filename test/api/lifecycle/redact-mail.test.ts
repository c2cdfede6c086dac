// Level: push
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, aSender, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { onCommand } from '#test/support/races/on-command.ts';

describe('POST /v1/mails/{id}/redact', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world));

  test.each(['queued', 'printed'])('a letter that is %s is still on its way: 409', async (status) => {
    const id = await sender.sendAccepted();
    if (status !== 'queued') await sender.http.post(`/v1/mails/${id}/simulate`, { to: status });
    const answer = await sender.http.post(`/v1/mails/${id}/redact`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(answer.body.message).toContain(`A mail job that is ${status} is still on its way`);
  });

  test.each(['posted', 'failed', 'delivered'])(
    'a letter that is %s loses its recipients but for the country',
    async (to) => {
      const id = await sender.sendAccepted();
      await sender.http.post(`/v1/mails/${id}/simulate`, { to });
      const { status, body } = await sender.http.post(`/v1/mails/${id}/redact`);
      expect([status, body.status]).toEqual([200, to]);
      expect(body.recipients[0]).toMatchObject({
        name: 'REDACTED',
        line1: 'REDACTED',
        city: 'REDACTED',
        country: 'BE',
      });
    },
  );

  test('a registered letter that is posted waits for its delivery', async () => {
    const id = await sender.sendAccepted({ serviceType: 'registered' });
    await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'posted' });
    expect((await sender.http.post(`/v1/mails/${id}/redact`)).status).toBe(409);
  });

  test('a redaction that dies on its way is completed by the next one', async () => {
    const s3Key = await upload(sender, await aPdf());
    const id = await sender.sendAccepted({ files: [{ s3Key }] });
    await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'posted' });
    const redact = () => sender.http.post(`/v1/mails/${id}/redact`);
    const died = await onCommand(async ({ name }, run) => {
      if (name === 'update uploads') throw new Error('died');
      return await run();
    }, redact);
    expect(died.status).toBe(500);
    expect((await redact()).body.sender.name).toBe('REDACTED');
    expect(Number((await Upload.findById(s3Key).orFail().lean()).neededUntil)).toBeLessThanOrEqual(Date.now());
  });

  test('the reason of a cancellation goes, and the other reasons stay', async () => {
    const cancelled = await sender.sendAccepted();
    await sender.http.post(`/v1/mails/${cancelled}/cancel`, { reason: 'Ada has moved' });
    const failed = await sender.sendAccepted();
    await sender.http.post(`/v1/mails/${failed}/simulate`, { to: 'failed' });
    const { failure } = (await sender.http.get(`/v1/mails/${failed}`)).body;
    expect((await sender.http.get(`/v1/mails/${cancelled}`)).body.failure.message).toBe('Ada has moved');
    const fixed = { code: 'CANCELLED', message: 'The sender cancelled the letter.' };
    for (const [id, after] of [
      [cancelled, fixed],
      [failed, failure],
    ]) {
      const { body } = await sender.http.post(`/v1/mails/${id}/redact`);
      expect([body.failure, body.recipients[0].failure]).toEqual([after, after]);
    }
    const history = await ItemHistory.find({ mailJobId: cancelled }).lean();
    expect([history.length > 0, JSON.stringify(history).includes('Ada')]).toEqual([true, false]);
  });

  test('it needs the scope send, and without read the credential that sent the letter', async () => {
    const { organizationId } = sender;
    const id = await sender.sendAccepted();
    await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'failed' });
    for (const scopes of [['read'], ['send']] as const) {
      const other = await world.customer({ organizationId, scopes });
      expect((await other.http.post(`/v1/mails/${id}/redact`)).status).toBe(403);
    }
  });
});
