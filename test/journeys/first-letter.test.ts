import { describe, expect, test } from '@jest/globals';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { isSignedBy, startReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

describe('the way of a letter', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });
  const receiver = startReceiver();

  test('given a webhook, when a registered letter is sent, then it is printed, posted and delivered, each step signed', async () => {
    // given
    const customer = await world.customer();
    const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED'];
    const webhook = await customer.http.post('/v1/webhooks', { url: receiver.url, events });
    expect(webhook.status).toBe(201);
    const s3Key = await upload(customer, await aPdf(2));
    const before = await customer.balanceCents();
    // when
    const letter = await aLetter(customer, {
      serviceType: 'registered',
      pages: 2,
      files: [{ s3Key }],
      externalId: 'first',
    });
    const sent = await customer.http.post('/v1/mails', letter);
    // then
    expect(sent).toMatchObject({ status: 201, body: { status: 'queued', externalId: 'first', duplicate: false } });
    const { mailJobId, totalCents } = sent.body;
    expect(await customer.balanceCents()).toBe(before - totalCents);
    await eventually(() => expect(receiver.received).toHaveLength(4), { withinMs: 15_000 });
    expect(receiver.received.map(({ body }) => body.event)).toEqual(events);
    for (const delivery of receiver.received) {
      expect(isSignedBy(webhook.body.secret, delivery)).toBe(true);
      expect(delivery.body).toMatchObject({ mailJobId, externalId: 'first' });
    }
    const read = await customer.http.get(`/v1/mails/${mailJobId}`);
    expect(read.body).toMatchObject({ status: 'delivered', failure: null, refundedCents: 0, counts: { delivered: 1 } });
  });
});
