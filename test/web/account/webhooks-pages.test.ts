// Level: push
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWebHost, type Visitor } from '#test/support/web/web-host.ts';
import { startReceiver } from '#test/support/webhooks/receiver.ts';

const list = '/account/webhooks';
const secretPattern = /whsec_[A-Za-z0-9+/=]+/;

describe('the pages of webhooks', () => {
  const { world, host } = startWebHost({ hasWorkers: true });
  const receiver = startReceiver();

  const secretIn = (page: string) => secretPattern.exec(page)?.[0] ?? '';

  /** A visitor who has created a webhook with the form. */
  async function owner(mode = 'test') {
    const visitor = await host.signedIn();
    const fields = { mode, url: receiver.url, events: ['MAIL_QUEUED', 'MAIL_FAILED'], description: 'Books' };
    const made = await visitor.send(list, list, { ...fields, action: 'create' });
    const [, page = ''] = /href="\/en(\/account\/webhooks\/wh_[a-z0-9]+)"/.exec(made.text) ?? [];
    return { visitor, made, page };
  }

  const shows = (visitor: Visitor, path: string, text: string) =>
    eventually(async () => expect((await visitor.get(path)).text).toContain(text));

  test('a new webhook shows its secret once, on a page that is not cached', async () => {
    const { visitor, made, page } = await owner('live');
    const secret = secretIn(made.text);
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(secret).not.toBe('');
    for (const path of [list, page]) {
      const { status, text } = await visitor.get(path);
      expect([status, secretIn(text)]).toEqual([200, '']);
      expect(text).toContain(receiver.url);
      expect(text).toContain('MAIL_FAILED');
      expect(text).not.toContain('MAIL_POSTED</span>');
    }
  });

  test('a blocked URL is refused with an error at its field, and the input is kept', async () => {
    const visitor = await host.signedIn();
    const fields = { mode: 'test', url: 'http://example.com/hook', events: 'MAIL_QUEUED', description: 'Kept' };
    const { status, text } = await visitor.send(list, list, fields);
    expect(status).toBe(400);
    expect(text).toContain('id="account-webhooks-url-error"');
    expect(text).toContain('value="http://example.com/hook"');
    expect(text).toContain('value="Kept"');
  });

  test('a webhook can be changed, disabled, enabled and deleted', async () => {
    const { visitor, page } = await owner();
    const changed = await visitor.send(page, `${page}/change`, { url: `${receiver.url}/2`, events: 'MAIL_POSTED' });
    expect(changed.location).toBe(`/en${page}?notice=webhookChanged`);
    expect((await visitor.get(page)).text).toContain(`${receiver.url}/2`);

    const refused = await visitor.send(page, `${page}/change`, { url: 'nonsense', events: 'MAIL_POSTED' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('value="nonsense"');

    expect((await visitor.send(page, `${page}/status`, {})).location).toContain('webhookDisabled');
    const disabled = (await visitor.get(list)).text;
    expect(disabled).toContain('Your organization disabled this webhook.');
    expect((await visitor.get('/account')).text).toContain('1 webhook is disabled');
    expect((await visitor.send(page, `${page}/status`, {})).location).toContain('webhookEnabled');

    const asked = await visitor.get(`${page}/delete`);
    expect(asked.text).toContain('Delete this webhook?');
    expect((await visitor.get(page)).status).toBe(200);
    expect((await visitor.send(`${page}/delete`, `${page}/delete`, {})).location).toContain('webhookDeleted');
    expect((await visitor.get(page)).status).toBe(404);
  });

  test('a rotation shows the new secret once and refuses an overlap of 25 hours', async () => {
    const { visitor, made, page } = await owner();
    const rotated = await visitor.send(page, `${page}/rotate`, { overlapHours: '0' });
    expect(rotated.headers.get('cache-control')).toBe('no-store');
    expect(secretIn(rotated.text)).not.toBe('');
    expect(secretIn(rotated.text)).not.toBe(secretIn(made.text));
    expect(rotated.text).toContain('The old secret is no longer used.');
    expect(secretIn((await visitor.get(page)).text)).toBe('');
    const refused = await visitor.send(page, `${page}/rotate`, { overlapHours: '25' });
    expect([refused.status, secretIn(refused.text)]).toEqual([400, '']);
    expect(refused.text).toContain('value="25"');
  });

  test('failed deliveries can be sent again and show their attempts', async () => {
    const { visitor, page } = await owner();
    receiver.answerWith(() => 500);
    expect((await visitor.send(page, `${page}/ping`, {})).location).toContain('webhookPinged');
    await shows(visitor, `${page}?state=failed`, 'Response 500');
    expect((await visitor.get(`${page}?state=delivered`)).text).toContain('No deliveries');

    receiver.answerWith(() => 200);
    const before = receiver.received.length;
    const { text } = await visitor.get(page);
    const [, action = ''] = /action="\/en([^"]+\/redeliver)"/.exec(text) ?? [];
    expect(action).toMatch(/whd_/);
    expect((await visitor.send(page, action, {})).location).toContain('deliveryRequested');
    await shows(visitor, page, 'Response 200');
    const [again] = receiver.received.slice(before);
    expect(again?.headers['x-service-delivery']).toBe(action.split('/').at(-2));
    expect(again?.headers['x-service-attempt']).toBe('2');
    expect((await visitor.get(page)).text).toContain('Attempt 2');
  });

  test('all failed deliveries can be sent again at once', async () => {
    const { visitor, page } = await owner();
    receiver.answerWith(() => 500);
    await visitor.send(page, `${page}/ping`, {});
    await shows(visitor, `${page}?state=failed`, 'Response 500');
    receiver.answerWith(() => 200);
    const all = `${page}/redeliver-failed`;
    expect((await visitor.send(page, all, { since: 'hour' })).location).toContain('redeliveryBegun');
    await shows(visitor, `${page}?state=delivered`, 'Response 200');
    expect((await visitor.send(page, all, { since: 'fortnight' })).location).toContain('nothingToRedeliver');
  });

  test('a job webhook secret is shown on a page that is not cached', async () => {
    const customer = await world.customer();
    const visitor = await host.signedIn({ organizationId: customer.organizationId });
    const path = '/account/job-webhook-secrets';
    const secret = await customer.jobWebhookSecret();
    expect((await visitor.get(path)).text).not.toContain(secret);
    const shown = await visitor.send(path, path, { mode: 'test' });
    expect(shown.text).toContain(secret);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect((await visitor.send(path, path, { mode: 'live' })).text).not.toContain(secret);
  });
});
