// Level: push
import { connect, type Socket } from 'node:net';
import { Event } from '#common/events/event.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { afterEach, byLevel, describe, eventually, expect, test } from '../support/jest.ts';
import { dyingAfter, killStartedPrograms } from '../support/processes/process-control.ts';
import { sendUntilAnswered, startApis, stopApis } from '../support/product/api-fleet.ts';
import { type Answer, aSender, createClient, ledgerOf } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { expectInvariants } from '../support/wallet/invariants.ts';

const letterCount = byLevel({ quick: 40, full: 100, long: 200 });
/** Of these letters, those that are answered before the process may die. */
const answeredCount = 10;
const priceCents = 221;

/** When a process dies: after its first commit, or after so many of its commands to the database. */
const moments = byLevel<Parameters<typeof dyingAfter>[0][]>({
  quick: ['commitTransaction'],
  full: ['commitTransaction', 20, 60],
  long: ['commitTransaction', 5, 10, 20, 30, 40, 50, 60, 70, 80],
});

const world = startWorld();
afterEach(killStartedPrograms);

describe('an API process that is killed during commits', () => {
  test(`${letterCount} sends repeated after the kill are one letter and one debit each`, async () => {
    for (const moment of moments) {
      const sender = await aSender(world);
      const before = (await ledgerOf(sender)).length;
      const [doomed] = await startApis(world, 1, dyingAfter(moment, 'bulks'));
      const letter = await sender.letter();
      const letters = Array.from({ length: letterCount }, (_, n) => ({ ...letter, externalId: `order-${n}` }));
      const client = createClient(doomed?.url ?? '', sender.key);
      const acknowledged = new Map<string, string>();
      const send = async (body: (typeof letters)[number]) => {
        const answer = await client.post('/v1/mails', body).catch(() => null);
        if (answer?.status === 201) acknowledged.set(body.externalId, answer.body.mailJobId);
      };
      await Promise.all(letters.slice(0, answeredCount).map(send));
      expect(acknowledged.size).toBe(answeredCount);
      // Reads the collection from which the commands of the process count.
      expect((await client.get('/v1/bulk')).status).toBe(200);
      await Promise.all(letters.slice(answeredCount).map(send));
      expect(acknowledged.size).toBeLessThan(letterCount);
      expect(await doomed?.program.ended).toBe('SIGKILL');
      const stored = await MailJob.countDocuments({ organizationId: sender.organizationId });
      // Stored, but not answered.
      if (moment === 'commitTransaction') expect(stored).toBeGreaterThan(acknowledged.size);
      const apis = await startApis(world, 1);
      const answers = await Promise.all(letters.map((body) => sendUntilAnswered(apis, sender.key, body, 0)));

      for (const [n, { status, body }] of answers.entries()) {
        expect([200, 201]).toContain(status);
        const first = acknowledged.get(`order-${n}`);
        // An acknowledged letter is never lost.
        if (first !== undefined) expect([status, body.mailJobId]).toEqual([200, first]);
      }
      const ids = answers.map(({ body }) => body.mailJobId).sort();
      expect(new Set(ids).size).toBe(letterCount);
      const debits = (await ledgerOf(sender)).slice(before);
      expect(debits.map(({ mailJobId }) => mailJobId).sort()).toEqual(ids);
      expect(await sender.balanceCents()).toBe(100_000 - letterCount * priceCents);
      expect(await Event.countDocuments({ subjectId: { $in: ids }, kind: 'MAIL_QUEUED' })).toBe(letterCount);
      await stopApis(apis);
    }
    await expectInvariants();
  });
});

describe('an API process that gets SIGTERM during sends', () => {
  test('every accepted send is answered and stored, no other is stored, and it exits with 0', async () => {
    const sender = await aSender(world, { balanceCents: 100_000_000 });
    const [api] = await startApis(world, 1);
    const client = createClient(api?.url ?? '', sender.key);
    const letter = await sender.letter();
    const stored = () => MailJob.countDocuments({ organizationId: sender.organizationId });
    const sends = Array.from({ length: 40 }, async (_, lane) => {
      const answers: Answer[] = [];
      for (;;) {
        const externalId = `order-${lane}-${answers.length}`;
        // A connection that was refused, or never accepted, counts as no answer, and ends the lane.
        const answer = await client.post('/v1/mails', { ...letter, externalId }).catch(() => null);
        if (!answer) return answers;
        answers.push(answer);
      }
    });
    await eventually(async () => expect(await stored()).toBeGreaterThan(0));

    const storedBefore = await stored();
    api?.program.kill('SIGTERM');
    const answers = (await Promise.all(sends)).flat();

    expect(await api?.program.ended).toBe(0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await stored()).toBe(answers.length);
    expect(answers.length).toBeGreaterThan(storedBefore);
    await expectInvariants();
  });

  test('it exits with 0, because it waits neither for idle connections nor for an incomplete request', async () => {
    const { key } = await world.customer();
    const [api] = await startApis(world, 1);
    // Kept open for the next request, as a load balancer does.
    expect((await createClient(api?.url ?? '', key).get('/v1/wallet')).status).toBe(200);
    const sockets = await Promise.all(['', 'GET /v1/wallet HTTP/1.1\r\nHost: a'].map((text) => open(api?.url, text)));
    const answers: string[] = [];
    for (const socket of sockets) socket.on('data', (chunk) => answers.push(String(chunk)));
    api?.program.kill('SIGTERM');

    // A process that waits for one is ended after 28 s, with 1.
    expect(await api?.program.ended).toBe(0);
    await eventually(() => expect(sockets.every(({ closed }) => closed)).toBe(true));
    // No 408 either, which ends an incomplete request after 15 s.
    expect(answers).toEqual([]);
  });
});

async function open(url = '', text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // It is cut off, as the test expects.
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  return socket;
}
