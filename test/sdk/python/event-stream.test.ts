import { join } from 'node:path';
import { revokeApiKey } from '#common/access/api-keys.ts';
import { afterEach, describe, eventually, expect, openOnce } from '#test/support/jest.ts';
import { killStartedPrograms, startProgram } from '#test/support/processes/process-control.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { root } from '#test/support/project/markdown.ts';
import { pythonWithHttpx, testWithPython } from '#test/support/sdk/python.ts';
import { startFaultProxy } from '#test/support/servers/fault-proxy.ts';

const program = join(root, 'test/sdk/python/stream.py');

describe.each(['sync', 'async'])('events.stream of the %s client in Python', (client) => {
  const world = startWorld();
  const proxy = openOnce(() => startFaultProxy(world.url));
  afterEach(async () => {
    proxy.set('pass');
    await killStartedPrograms();
  });

  /** Follows the stream of a new customer through the proxy. */
  async function follow({ key, url = proxy.url, after = '', silenceS = 45 } = {} as Partial<Following>) {
    const sender = await aSender(world);
    const started = startProgram(
      pythonWithHttpx(),
      [program, client, key ?? sender.key, url.replace(/\/$/, ''), after, String(silenceS)],
      { environment: { PYTHONPATH: join(root, 'scripts/sdk/python/src'), PYTHONDONTWRITEBYTECODE: '1' } },
    );
    const lines = () => started.standardOutput().trim().split('\n');
    return {
      ...{ sender, started, lines },
      /** Waits until the stream has been opened this often. */
      opened: (times: number) =>
        eventually(() => expect(lines().filter((line) => line === 'open').length).toBeGreaterThanOrEqual(times)),
      /** Waits until the events of these letters, and no others, have been yielded. */
      yields: (letters: string[]) =>
        eventually(() => {
          const events = lines().filter((line) => line.startsWith('MAIL_'));
          expect(events).toEqual(letters.map((id) => `MAIL_QUEUED ${id}`));
        }),
      /** Returns the last line after the end of the program. */
      async end() {
        const code = await started.ended;
        return [code, lines().at(-1)];
      },
    };
  }
  type Following = { key: string; url: string; after: string; silenceS: number };

  testWithPython('each event comes once, across broken connections, until the key is revoked', async () => {
    const { sender, opened, yields, end } = await follow();
    await opened(1);
    const letters = [await sender.sendAccepted()];
    await yields(letters);
    for (let n = 2; n < 4; n += 1) {
      proxy.breakAll();
      letters.push(await sender.sendAccepted());
      await opened(n);
      await yields(letters);
    }
    await revokeApiKey(sender.keyId, world.revocations, new Date());
    expect(await end()).toEqual([0, 'AuthenticationError']);
  });

  testWithPython('an event comes although the connection broke before the first one', async () => {
    const { sender, opened, yields } = await follow();
    await opened(1);
    proxy.set('refuse');
    const letter = await sender.sendAccepted();
    proxy.set('pass');
    await yields([letter]);
  });

  testWithPython('a silent connection counts as lost', async () => {
    const { sender, opened, yields } = await follow({ silenceS: 2 });
    await opened(2);
    await yields([]);
    await yields([await sender.sendAccepted()]);
  });

  testWithPython('it starts where it is told', async () => {
    const sender = await aSender(world);
    const first = await sender.sendAccepted();
    const [{ id: after }] = (await sender.http.get('/v1/events')).body.data;
    const second = await sender.sendAccepted();
    expect(first).not.toBe(second);
    const { yields } = await follow({ key: sender.key, after });
    await yields([second]);
  });

  testWithPython('it raises an error when it is refused, or cannot be opened at first', async () => {
    expect(await (await follow({ key: 'bjk_test_0' })).end()).toEqual([0, 'AuthenticationError']);
    expect(await (await follow({ after: 'evt_0' })).end()).toEqual([0, 'InvalidRequestError']);
    expect(await (await follow({ url: 'http://127.0.0.1:9' })).end()).toEqual([0, 'ConnectionFailedError']);
  });
});
