import { newId } from '#common/ids.ts';
import { standingClock } from '#test/support/clock.ts';
import { beforeAll, describe, expect, test } from '#test/support/jest.ts';
import { openOnce } from '#test/support/open-once.ts';
import { startWorld } from '#test/support/product/world.ts';
import { sendRaw } from '#test/support/send-raw.ts';
import { aSender } from '#test/support/webhooks/sender.ts';

describe('GET /v1/mails/{id}', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const sender = openOnce(() => aSender(world));
  let mailJobId: string;
  beforeAll(async () => {
    mailJobId = (await sender.send({ externalId: 'mine' })).body.mailJobId;
  });
  const notFound = { status: 404, body: { code: 'NOT_FOUND', message: expect.any(String) } };

  test('every key of the owner reads the job with its details', async () => {
    const second = await world.customer({ organizationId: sender.organizationId, scopes: ['read'] });
    for (const { http } of [sender, second]) {
      const { status, body } = await http.get(`/v1/mails/${mailJobId}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        mailJobId,
        externalId: 'mine',
        status: 'queued',
        recipients: [{ status: 'queued' }],
      });
    }
  });

  test('internal fields are not part of the response', async () => {
    const { body } = await sender.http.get(`/v1/mails/${mailJobId}`);
    const text = JSON.stringify(body);
    for (const inner of [
      'etag',
      'due',
      'lease',
      'requestHash',
      'shareCents',
      'organizationId',
      '_id',
      'idempotencyKey',
    ]) {
      expect(text).not.toContain(`"${inner}"`);
    }
  });

  test('the times are those of the statuses that the job reached', async () => {
    const { mailJobId: id } = (await sender.send()).body;
    const queuedAt = clock.now().toISOString();
    clock.advance(1_000);
    await sender.http.post(`/v1/mails/${id}/simulate`);
    const printedAt = clock.now().toISOString();
    clock.advance(1_000);
    await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'delivered' });
    const deliveredAt = clock.now().toISOString();
    const { body } = await sender.http.get(`/v1/mails/${id}`);
    expect(body).toMatchObject({ status: 'delivered', postedAt: null, failedAt: null });
    expect(body).toMatchObject({ createdAt: queuedAt, queuedAt, printedAt, deliveredAt, updatedAt: deliveredAt });
    expect(body.counts).toEqual({ queued: 0, printed: 0, posted: 0, delivered: 1, failed: 0 });
    expect(body.recipients[0].status).toBe('delivered');
  });

  test('a job of another organization or mode is 404, like an unknown id', async () => {
    const { organizationId } = sender;
    const stranger = await world.customer();
    const live = await world.customer({ organizationId, mode: 'live' });
    const liveSender = await aSender(world, { organizationId, mode: 'live', balanceCents: 1_000 });
    const liveJobId = (await liveSender.send()).body.mailJobId;
    const unknown = await sender.http.get(`/v1/mails/${newId('mj')}`);
    expect(unknown).toMatchObject(notFound);
    for (const [customer, id] of [
      [stranger, mailJobId],
      [live, mailJobId],
      [sender, liveJobId],
    ] as const) {
      const answer = await customer.http.get(`/v1/mails/${id}`);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual(unknown.body);
    }
    expect((await live.http.get(`/v1/mails/${liveJobId}`)).status).toBe(200);
  });

  test.each([
    'x',
    'mj_',
    'mj_short',
    '%FF',
    'mj_%FF',
    '%00',
    '%2F',
    '..%2Fwallet',
    '$ne',
    'mj_{id}',
    'null',
    '%F0%9F%98%80',
    'x'.repeat(200),
  ])('the malformed id %s is 404', async (id) => {
    // Sent raw, because fetch would normalize some of these.
    const headers = { authorization: `Bearer ${sender.key}` };
    const { status, body } = await sendRaw(`${world.url}/v1/mails/${id}`, { method: 'GET', headers });
    expect([status, JSON.parse(body.toString()).code]).toEqual([404, 'NOT_FOUND']);
  });

  test('a valid id in another spelling is 404', async () => {
    const ending = mailJobId.slice(3);
    for (const id of [`wh_${ending}`, `mj_${ending.toUpperCase()}`, `${mailJobId}0`, `MJ_${ending}`, ending]) {
      expect(await sender.http.get(`/v1/mails/${id}`)).toMatchObject(notFound);
    }
  });
});
