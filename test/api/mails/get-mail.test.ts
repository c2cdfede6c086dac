// Level: push
import { beforeAll, describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/mails/{id}', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const sender = openOnce(() => world.customer());
  let mailJobId: string;
  beforeAll(async () => {
    mailJobId = (await sender.send({ externalId: 'mine' })).body.mailJobId;
  });

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
    const inner = ['due', 'lease', 'requestHash', 'shareCents', 'organizationId', '_id', 'idempotencyKey'];
    for (const name of inner) expect(text).not.toContain(`"${name}"`);
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
});
