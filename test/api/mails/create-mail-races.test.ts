import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import type { Answer } from '#test/support/product/client.ts';
import { startWorld } from '#test/support/product/world.ts';
import { expectInvariants } from '#test/support/wallet/invariants.ts';
import { aSender, eventKindsOf, ledgerOf, type Sender } from '#test/support/webhooks/sender.ts';

const priceCents = 221;
const countOf = (answers: Answer[], ...statuses: number[]) =>
  answers.filter(({ status }) => statuses.includes(status)).length;

const world = startWorld();

describe('concurrent sends of one API process', () => {
  /** Sends letters at once, without retries. */
  async function sendAtOnce(sender: Sender, count: number, overridesOf: (n: number) => Record<string, unknown>) {
    const letters = await Promise.all(Array.from({ length: count }, (_, n) => sender.letter(overridesOf(n))));
    return await Promise.all(letters.map((letter) => sender.http.post('/v1/mails', letter)));
  }

  test('of 50 payloads with one externalId the first gets 201, is debited and answers the others', async () => {
    const sender = await aSender(world);
    const before = (await ledgerOf(sender)).length;
    const answers = await sendAtOnce(sender, 50, (n) => ({ externalId: 'one', color: n % 2 === 0 }));
    const winner = answers.find(({ status }) => status === 201)?.body;
    expect([countOf(answers, 201), countOf(answers, 200)]).toEqual([1, 49]);
    expect(answers.filter(({ body }) => body.duplicate)).toHaveLength(49);
    for (const [n, { body }] of answers.entries()) {
      expect(body).toMatchObject({ mailJobId: winner.mailJobId, color: winner.color });
      expect(body.payloadMatches).toBe((n % 2 === 0) === winner.color);
    }
    expect(await MailJob.countDocuments({ organizationId: sender.organizationId })).toBe(1);
    const debit = { kind: 'debit', amountCents: -winner.totalCents, mailJobId: winner.mailJobId };
    expect((await ledgerOf(sender)).slice(before)).toMatchObject([debit]);
    expect(await sender.balanceCents()).toBe(100_000 - winner.totalCents);
    expect(await eventKindsOf(winner.mailJobId)).toEqual(['MAIL_QUEUED']);
    await expectInvariants();
  });

  test('with money for one of 20 letters sent three times each: one 201, two 200, 57 x 402', async () => {
    const sender = await aSender(world, { balanceCents: priceCents });
    const answers = await sendAtOnce(sender, 60, (n) => ({ externalId: `letter-${n % 20}` }));
    // Repeats are recognized before the balance is checked.
    expect([countOf(answers, 201), countOf(answers, 200), countOf(answers, 402)]).toEqual([1, 2, 57]);
    expect(new Set(answers.flatMap(({ body }) => body.mailJobId ?? [])).size).toBe(1);
    expect(await sender.balanceCents()).toBe(0);
    await expectInvariants();
  });
});
