// Level: ci
import { revokeApiKey } from '#common/access/api-keys.ts';
import { afterEach, describe, eventually, expect, openOnce } from '#test/support/jest.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openDrivers } from '#test/support/sdk/drivers.ts';
import { startFaultProxy } from '#test/support/servers/fault-proxy.ts';

type Event = { id: string; event: string; data: { mailJobId: string } };
type Following = { key: string; url: string; after: string; silenceS: number };

const world = startWorld();
const proxy = openOnce(() => startFaultProxy(world.url));

describe.each(openDrivers())('events.stream of the %s client', (_name, { run, testHere, stop }) => {
  afterEach(() => {
    proxy.set('pass');
    stop();
  });

  /** Follows the stream of a new customer through the proxy. */
  async function follow({ key, url = proxy.url, after, silenceS = 45 }: Partial<Following> = {}) {
    const sender = await aSender(world);
    const lines: ('open' | Event)[] = [];
    const given = { key: key ?? sender.key, url: url.replace(/\/$/, ''), after: after ?? null, silenceS };
    const ended = run<string | null>('follow', given, (line) => void lines.push(line as Event));
    const events = () => lines.filter((line) => line !== 'open');
    return {
      ...{ sender, ended, events },
      /** Waits until the stream has been opened this often. */
      opened: (times: number) => eventually(() => expect(lines.length - events().length).toBeGreaterThanOrEqual(times)),
      /** Waits until the events of these letters, and no others, have been yielded. */
      yields: (letters: string[]) =>
        eventually(() => expect(events().map(({ data }) => data.mailJobId)).toEqual(letters)),
    };
  }

  testHere('each event comes once, with the body of webhooks, across broken connections', async () => {
    const { sender, opened, yields, events, ended } = await follow();
    await opened(1);
    const letters = [await sender.sendAccepted()];
    await yields(letters);
    for (let n = 2; n < 4; n += 1) {
      proxy.breakAll();
      letters.push(await sender.sendAccepted());
      await opened(n);
      await yields(letters);
    }
    expect(events()[0]).toEqual({
      id: expect.stringMatching(/^evt_/),
      event: 'MAIL_QUEUED',
      data: expect.objectContaining({ event: 'MAIL_QUEUED', mailJobId: letters[0], status: 'queued' }),
    });
    await revokeApiKey(sender.keyId, world.revocations, new Date());
    expect(await ended).toBe('AuthenticationError');
  });

  testHere('an event comes although the connection broke before the first one', async () => {
    const { sender, opened, yields } = await follow();
    await opened(1);
    proxy.set('refuse');
    const letter = await sender.sendAccepted();
    proxy.set('pass');
    await yields([letter]);
  });

  testHere('a silent connection counts as lost', async () => {
    const { sender, opened, yields } = await follow({ silenceS: 2 });
    await opened(2);
    await yields([]);
    await yields([await sender.sendAccepted()]);
  });

  testHere('it starts where it is told', async () => {
    const sender = await aSender(world);
    await sender.sendAccepted();
    const [{ id: after }] = (await sender.http.get('/v1/events')).body.data;
    const second = await sender.sendAccepted();
    const { yields } = await follow({ key: sender.key, after });
    await yields([second]);
  });

  testHere('it ends with an error when it is refused, or cannot be opened at first', async () => {
    expect(await (await follow({ key: 'bjk_test_0' })).ended).toBe('AuthenticationError');
    expect(await (await follow({ after: 'evt_0' })).ended).toBe('InvalidRequestError');
    expect(await (await follow({ url: 'http://127.0.0.1:9' })).ended).toBe('ConnectionError');
  });

  testHere('an open stream outlives answers of 503 and 429, and text that is split anywhere', async () => {
    const event = (id: string) =>
      `id: ${id}\r\nevent: MAIL_QUEUED\r\ndata: {"event":"MAIL_QUEUED","mailJobId":"é"}\r\n\r\n`;
    const headers = { 'retry-after': '0', 'content-type': 'application/json' };
    const replies = [
      { status: 200, text: `retry: 2000\nid: evt_0\n\n: still here\n\n${event('evt_1')}${event('evt_2')}` },
      { status: 503, headers, text: '{"code":"SERVICE_UNAVAILABLE"}' },
      { status: 429, headers, text: '{"code":"RATE_LIMITED"}' },
      { status: 200, text: event('evt_2') + event('evt_3') },
      { status: 403, headers, text: '{"code":"FORBIDDEN"}' },
    ];
    expect(await run('stream', { replies })).toEqual({
      ...{ status: 403, ids: ['evt_1', 'evt_2', 'evt_3'] },
      asked: [null, 'evt_2', 'evt_2', 'evt_2', 'evt_3'],
    });
  });
});
