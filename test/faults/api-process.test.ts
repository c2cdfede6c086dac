// Level: push
import { Event } from '#common/events/event.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { afterEach, byLevel, describe, expect, test } from '../support/jest.ts';
import { dyingAfter, killStartedPrograms } from '../support/processes/process-control.ts';
import { sendUntilAnswered, startApis, stopApis } from '../support/product/api-fleet.ts';
import { aSender, createClient, ledgerOf } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { expectInvariants } from '../support/wallet/invariants.ts';

const letterCount = byLevel({ quick: 24, full: 100, long: 200 });
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
