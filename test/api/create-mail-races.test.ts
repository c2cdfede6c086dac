import { describe, expect, test } from '@jest/globals';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import type { Answer } from '../support/client.ts';
import { aSender, eventKindsOf, ledgerOf, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const priceCents = 221;

describe('many POST /v1/mails at once', () => {
  const world = startWorld();

  async function sendAtOnce(sender: Sender, count: number, overridesOf: (n: number) => Record<string, unknown>) {
    const letters = await Promise.all(Array.from({ length: count }, (_, n) => sender.letter(overridesOf(n))));
    return await Promise.all(letters.map((letter) => sender.http.post('/v1/mails', letter)));
  }
  const countOf = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length;

  /** The ledger tells how the balance came about: numbered without a gap, each entry after the one before. */
  async function expectSoundLedger(sender: Sender): Promise<void> {
    const entries = await ledgerOf(sender);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    let balanceCents = 0;
    for (const { amountCents, balanceAfterCents } of entries) {
      balanceCents += amountCents;
      expect(balanceAfterCents).toBe(balanceCents);
      expect(balanceCents).toBeGreaterThanOrEqual(0);
    }
    expect(await sender.balanceCents()).toBe(balanceCents);
  }

  test('given one externalId, when it is sent fifty times at once, then one 201, the rest 200, one debit, one event', async () => {
    // given
    const sender = await aSender(world);
    const before = (await ledgerOf(sender)).length;
    // when
    const answers = await sendAtOnce(sender, 50, () => ({ externalId: 'one' }));
    // then
    expect([countOf(answers, 201), countOf(answers, 200)]).toEqual([1, 49]);
    const ids = new Set(answers.map(({ body }) => body.mailJobId));
    expect(ids.size).toBe(1);
    expect(answers.filter(({ body }) => body.duplicate)).toHaveLength(49);
    expect(await MailJob.countDocuments({ organizationId: sender.organizationId })).toBe(1);
    const debits = (await ledgerOf(sender)).slice(before);
    expect(debits).toMatchObject([{ kind: 'debit', amountCents: -priceCents, mailJobId: [...ids][0] }]);
    expect(await eventKindsOf([...ids][0])).toEqual(['MAIL_QUEUED']);
    await expectSoundLedger(sender);
  });

  test('given one externalId with other payloads, when they come at once, then the first is kept and the others told so', async () => {
    // given
    const sender = await aSender(world);
    // when
    const answers = await sendAtOnce(sender, 40, (n) => ({ externalId: 'mixed', color: n % 2 === 0 }));
    // then
    const winner = answers.find(({ status }) => status === 201);
    expect([countOf(answers, 201), countOf(answers, 200)]).toEqual([1, 39]);
    for (const [n, { body }] of answers.entries()) {
      expect(body).toMatchObject({ mailJobId: winner?.body.mailJobId, color: winner?.body.color });
      expect(body.payloadMatches).toBe((n % 2 === 0) === winner?.body.color);
    }
    expect(await sender.balanceCents()).toBe(100_000 - winner?.body.totalCents);
  });

  test('given money for 30 letters, when 100 come at once, then 30 x 201 and 70 x 402, and nothing is left', async () => {
    // given
    const sender = await aSender(world, { balanceCents: 30 * priceCents });
    const before = (await ledgerOf(sender)).length;
    // when
    const answers = await sendAtOnce(sender, 100, (n) => ({ externalId: `storm-${n}` }));
    // then
    expect([countOf(answers, 201), countOf(answers, 402)]).toEqual([30, 70]);
    expect(await sender.balanceCents()).toBe(0);
    const { organizationId } = sender;
    const sent = answers.filter(({ status }) => status === 201).map(({ body }) => body.mailJobId);
    const debits = (await ledgerOf(sender)).slice(before);
    expect(debits.map(({ mailJobId }) => mailJobId).sort()).toEqual(sent.sort());
    expect(await MailJob.countDocuments({ organizationId })).toBe(30);
    expect(await Event.countDocuments({ organizationId, kind: 'MAIL_QUEUED' })).toBe(30);
    await expectSoundLedger(sender);
  });

  test('given money for one of twenty letters, when each comes three times at once, then one 201, two 200, the rest 402', async () => {
    // given
    const sender = await aSender(world, { balanceCents: priceCents });
    // when
    const answers = await sendAtOnce(sender, 60, (n) => ({ externalId: `letter-${n % 20}` }));
    // then: a repeat is told from a new letter before the balance is looked at
    expect([countOf(answers, 201), countOf(answers, 200), countOf(answers, 402)]).toEqual([1, 2, 57]);
    expect(new Set(answers.flatMap(({ body }) => body.mailJobId ?? [])).size).toBe(1);
    expect(await sender.balanceCents()).toBe(0);
    await expectSoundLedger(sender);
  });
});
