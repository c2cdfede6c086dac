import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { startApis } from '../support/api-fleet.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { expectInvariants } from '../support/invariants.ts';
import { killStartedPrograms } from '../support/process-control.ts';
import { aSender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const letterCount = 200;

describe('an API process that is told to end in the middle of sends', () => {
  const world = startWorld();
  afterEach(killStartedPrograms);

  test('given 200 sends on their way, when it gets SIGTERM, then each one that it took is answered and stored, no other is, and it exits with 0', async () => {
    // given
    const sender = await aSender(world);
    const [api] = await startApis(world, 1);
    const client = createClient(api?.url ?? '', sender.key);
    const letter = await sender.letter();
    const stored = () => MailJob.countDocuments({ organizationId: sender.organizationId });
    const sends = Array.from({ length: letterCount }, (_, n) =>
      // A connection that is refused, or was never taken, is no answer.
      client.post('/v1/mails', { ...letter, externalId: `order-${n}` }).catch(() => null),
    );
    await eventually(async () => expect(await stored()).toBeGreaterThan(0), { withinMs: 15_000 });
    // when
    const storedBefore = await stored();
    api?.program.kill('SIGTERM');
    const answers = (await Promise.all(sends)).flatMap((answer) => answer ?? []);
    // then
    expect(await api?.program.ended).toBe(0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await stored()).toBe(answers.length);
    expect(answers.length).toBeGreaterThan(storedBefore);
    await expectInvariants();
  }, 60_000);

  test('given a connection that was used, one that never was and one with half a request, when it gets SIGTERM, then it waits for none of them', async () => {
    // given
    const { key } = await world.customer();
    const [api] = await startApis(world, 1);
    // Kept open for the next request, as a balancer does it.
    expect((await createClient(api?.url ?? '', key).get('/v1/wallet')).status).toBe(200);
    const sockets = await Promise.all(['', 'GET /v1/wallet HTTP/1.1\r\nHost: a'].map((text) => open(api?.url, text)));
    const startedAt = performance.now();
    // when
    api?.program.kill('SIGTERM');
    // then
    expect(await api?.program.ended).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    for (const socket of sockets) socket.destroy();
  }, 60_000);
});

async function open(url = '', text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // It is cut off, which is what the test is about.
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  return socket;
}
