import { afterEach, describe, expect, test } from '@jest/globals';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { sendUntilAnswered, startApis, stopApis } from '../support/api-fleet.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { expectInvariants } from '../support/invariants.ts';
import { killStartedPrograms } from '../support/process-control.ts';
import { aSender, ledgerOf } from '../support/sender.ts';
import { byLevel } from '../support/test-level.ts';
import { startWorld } from '../support/world.ts';

const letterCount = 200;
const priceCents = 221;

describe('an API process that is killed in the middle of commits', () => {
  const world = startWorld();
  afterEach(killStartedPrograms);

  test('given 200 sends in flight, when the process is killed and each is sent again to a new one, then each is one letter and one debit', async () => {
    for (let round = 0; round < byLevel({ quick: 1, full: 10 }); round += 1) {
      // given
      const sender = await aSender(world);
      const before = (await ledgerOf(sender)).length;
      const [doomed] = await startApis(world, 1);
      const letter = await sender.letter();
      const letters = Array.from({ length: letterCount }, (_, n) => ({ ...letter, externalId: `order-${n}` }));
      const client = createClient(doomed?.url ?? '', sender.key);
      const acknowledged = new Map<string, string>();
      const inFlight = letters.map(async (body) => {
        const answer = await client.post('/v1/mails', body).catch(() => null);
        if (answer?.status === 201) acknowledged.set(body.externalId, answer.body.mailJobId);
      });
      // when: some are stored already, and most are not
      const stored = () => MailJob.countDocuments({ organizationId: sender.organizationId });
      await eventually(async () => expect(await stored()).toBeGreaterThan(0), { withinMs: 15_000 });
      doomed?.program.kill('SIGKILL');
      await Promise.all(inFlight);
      const apis = await startApis(world, 1);
      const answers = await Promise.all(letters.map((body) => sendUntilAnswered(apis, sender.key, body, 0)));
      // then
      for (const [n, { status, body }] of answers.entries()) {
        expect([200, 201]).toContain(status);
        const first = acknowledged.get(`order-${n}`);
        // What was acknowledged once is never lost.
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
  }, 300_000);
});
