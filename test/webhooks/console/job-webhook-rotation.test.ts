// Level: push
import { Organization } from '#common/organizations/organization.model.ts';
import { jobEndpointId } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import type { Customer } from '#test/support/product/customer.ts';
import { startWebHost, type Visitor } from '#test/support/web/web-host.ts';
import { type Received, signersOf, startReceiver } from '#test/support/webhooks/receiver.ts';
import { createTestDispatcher, storeEvents } from '#test/support/webhooks/webhook-scene.ts';

const hourMs = 3_600_000;
const page = '/account/job-webhook-secrets';

describe("rotating the secret of the mail jobs' own URLs", () => {
  const clock = standingClock();
  const { world, host } = startWebHost({ clock, hasTariffs: false });
  const receiver = startReceiver();
  const dispatcher = openOnce(async () => createTestDispatcher(world, clock));

  async function anOwner() {
    const customer = await world.customer();
    const visitor = await host.signedIn({ organizationId: customer.organizationId });
    return { customer, visitor, former: await customer.jobWebhookSecret() };
  }

  async function rotate(visitor: Visitor, overlapHours: number): Promise<string> {
    const fields = { overlapHours: `${overlapHours}` };
    const { status, text, headers } = await visitor.send(page, `${page}/test/rotate`, fields);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    return /<code id="job-webhook-secret">([^<]+)<\/code>/.exec(text)?.[1] ?? '';
  }

  /** Returns those of the secrets that sign the next delivery, in the order of the signatures. */
  async function nextSigners({ organizationId, mode }: Customer, secrets: readonly string[]) {
    const webhookUrl = receiver.url;
    await storeEvents({ organizationId, mode }, 1, clock.now(), { webhookUrl });
    await dispatcher.fanOut();
    await dispatcher.send(jobEndpointId({ organizationId, mode }, webhookUrl));
    return signersOf(receiver.received.at(-1) as Received, secrets);
  }

  test('both secrets sign during the overlap, the new one first, then only the new one', async () => {
    const { customer, visitor, former } = await anOwner();
    const secret = await rotate(visitor, 24);
    expect(secret).toMatch(/^whsec_.{44}$/);
    expect(await customer.jobWebhookSecret()).toBe(secret);
    expect(await nextSigners(customer, [former, secret])).toEqual([secret, former]);
    clock.advance(24 * hourMs);
    expect(await nextSigners(customer, [former, secret])).toEqual([secret]);
    const stored = JSON.stringify(await Organization.findById(customer.organizationId).lean());
    for (const each of [former, secret]) expect(stored).not.toContain(each);
  });

  test('a rotation without overlap ends the previous secret at once', async () => {
    const { customer, visitor, former } = await anOwner();
    const second = await rotate(visitor, 1);
    const third = await rotate(visitor, 1);
    expect(await nextSigners(customer, [former, second, third])).toEqual([third, second]);
    const fourth = await rotate(visitor, 0);
    expect(await nextSigners(customer, [former, second, third, fourth])).toEqual([fourth]);
  });

  test('the secret of the other mode does not change', async () => {
    const { customer, visitor } = await anOwner();
    const { organizationId } = customer;
    const before = await Organization.findById(organizationId).orFail().lean();
    await rotate(visitor, 24);
    const after = await Organization.findById(organizationId).orFail().lean();
    expect(after.jobWebhookSecret.live).toBe(before.jobWebhookSecret.live);
    expect(after.previousJobWebhookSecret).toEqual({
      test: { sealed: before.jobWebhookSecret.test, until: new Date(clock.now().getTime() + 24 * hourMs) },
    });
  });
});
