// Level: push
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

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
