// Level: push
import { Webhook } from '#common/webhooks/registry/webhook.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import type { Answer } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { addWebhook } from '#test/support/webhooks/receiver.ts';

const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id);

describe('GET /v1/webhooks', () => {
  const world = startWorld();

  test('webhooks are listed newest first and without secrets', async () => {
    const owner = await world.customer();
    const [first, second] = [await addWebhook(owner), await addWebhook(owner, { events: ['MAIL_FAILED'] })];
    const { status, body } = await owner.http.get('/v1/webhooks');
    expect(status).toBe(200);
    expect(body).toEqual({ data: [second.shown, first.shown], hasMore: false, nextCursor: null });
    expect(first.secret).not.toBe(second.secret);
    // Not in the response and, in plain text, not in the database.
    const stored = JSON.stringify(await Webhook.find({ organizationId: owner.organizationId }).lean());
    for (const { secret } of [first, second]) expect(JSON.stringify(body) + stored).not.toContain(secret);
  });

  test('a disabled webhook is listed only under status=disabled', async () => {
    const owner = await world.customer();
    const [active, disabled] = [(await addWebhook(owner)).id, (await addWebhook(owner)).id];
    await Webhook.updateOne({ _id: disabled }, { status: 'disabled', disabledReason: 'GONE' });
    expect(idsOf(await owner.http.get('/v1/webhooks'))).toEqual([active]);
    expect(idsOf(await owner.http.get('/v1/webhooks?status=active'))).toEqual([active]);
    const { body } = await owner.http.get('/v1/webhooks?status=disabled');
    expect(body.data).toMatchObject([{ id: disabled, status: 'disabled', disabledReason: 'GONE' }]);
    expect((await owner.http.get('/v1/webhooks?status=deleted')).status).toBe(400);
  });
});
