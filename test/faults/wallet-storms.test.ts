import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { readWallet, topUpWallet } from '../../common/wallet/wallets.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { type ApiProcess, sendUntilAnswered, startApis, stopApis } from '../support/api-fleet.ts';
import type { Answer } from '../support/client.ts';
import { expectInvariants } from '../support/invariants.ts';
import { killStartedPrograms } from '../support/process-control.ts';
import { aSender, ledgerOf, type Sender } from '../support/sender.ts';
import { byLevel } from '../support/test-level.ts';
import { startWorld } from '../support/world.ts';

const priceCents = 221;
const coloured = { color: true };
const colouredCents = 236;

describe('a storm of sends over four API processes', () => {
  const world = startWorld();
  let apis: ApiProcess[] = [];
  beforeAll(async () => {
    apis = await startApis(world, 4);
  }, 60_000);
  afterAll(async () => {
    await stopApis(apis);
    await killStartedPrograms();
  }, 60_000);

  /** All at once, spread over the processes. */
  async function storm(sender: Sender, letters: Record<string, unknown>[]): Promise<Answer[]> {
    return await Promise.all(letters.map((letter, n) => sendUntilAnswered(apis, sender.key, letter, n)));
  }
  const countOf = (answers: Answer[], ...statuses: number[]) =>
    answers.filter(({ status }) => statuses.includes(status)).length;

  test('given money for 100 letters, when far more come at once, then exactly 100 are sent, and no balance seen is ever below zero', async () => {
    // given
    const sender = await aSender(world, { balanceCents: 100 * priceCents });
    const before = (await ledgerOf(sender)).length;
    const count = byLevel({ quick: 400, full: 1_000 });
    const letter = await sender.letter();
    const letters = Array.from({ length: count }, (_, n) => ({ ...letter, externalId: `storm-${n}` }));
    const seenCents: number[] = [];
    let isOver = false;
    const watch = (async () => {
      while (!isOver) seenCents.push((await readWallet(sender)).balanceCents);
    })();
    // when
    const answers = await storm(sender, letters);
    isOver = true;
    await watch;
    // then: a letter whose 503 hid a success is a 200 at its next try
    expect([countOf(answers, 201, 200), countOf(answers, 402)]).toEqual([100, count - 100]);
    expect(Math.min(...seenCents)).toBeGreaterThanOrEqual(0);
    expect(await sender.balanceCents()).toBe(0);
    const debits = (await ledgerOf(sender)).slice(before);
    expect(debits.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, n) => before + n + 1));
    expect(await MailJob.countDocuments({ organizationId: sender.organizationId })).toBe(100);
    await expectInvariants();
  }, 120_000);

  test('given one externalId, when it comes with ever other payloads at once, then one letter, one debit, one event', async () => {
    // given
    const sender = await aSender(world);
    const before = (await ledgerOf(sender)).length;
    const count = byLevel({ quick: 300, full: 1_000 });
    const letter = await sender.letter();
    const letters = Array.from({ length: count }, (_, n) => ({ ...letter, externalId: 'one', color: n % 3 === 0 }));
    // when
    const answers = await storm(sender, letters);
    // then
    expect(countOf(answers, 201, 200)).toBe(count);
    expect(countOf(answers, 201)).toBeLessThanOrEqual(1);
    const [mailJobId, ...others] = new Set(answers.map(({ body }) => body.mailJobId));
    expect(others).toEqual([]);
    expect((await ledgerOf(sender)).slice(before)).toMatchObject([{ kind: 'debit', mailJobId }]);
    expect(await Event.countDocuments({ subjectId: mailJobId, kind: 'MAIL_QUEUED' })).toBe(1);
    for (const [n, { body }] of answers.entries()) expect(body.payloadMatches).toBe((n % 3 === 0) === body.color);
    await expectInvariants();
  }, 120_000);

  test('given repeats, dear and cheap letters and top-ups together, when all is over, then the ledger tells one serial order that explains every answer', async () => {
    // given
    const sender = await aSender(world, { balanceCents: 20 * priceCents });
    const orders = byLevel({ quick: 120, full: 500 });
    const topUps = 20;
    const topUpCents = 500;
    const letter = await sender.letter();
    const letters = Array.from({ length: orders * 3 }, (_, n) => ({
      ...letter,
      ...(n % 2 === 0 && coloured),
      externalId: `order-${n % orders}`,
    }));
    // when
    const [answers] = await Promise.all([
      storm(sender, letters),
      ...Array.from({ length: topUps }, (_, n) =>
        topUpUntilDone(() => topUpWallet(sender, topUpCents, `storm-${n}`, new Date())),
      ),
    ]);
    // then
    const jobs = await MailJob.find({ organizationId: sender.organizationId }).lean();
    const jobOf = new Map(jobs.map((job) => [job.externalId, job]));
    for (const [n, { status, body }] of answers.entries()) {
      const job = jobOf.get(`order-${n % orders}`);
      if (status === 402) continue;
      expect([200, 201]).toContain(status);
      expect(body.mailJobId).toBe(job?._id);
      expect(body.payloadMatches).toBe(job?.color === (n % 2 === 0));
    }
    const entries = await ledgerOf(sender);
    expect(
      entries
        .filter(({ kind }) => kind === 'debit')
        .map(({ mailJobId }) => mailJobId)
        .sort(),
    ).toEqual(jobs.map(({ _id }) => _id).sort());
    expect(entries.filter(({ key }) => key.includes(':storm-'))).toHaveLength(topUps);
    // A refusal needs a moment in the serial order at which its price was not there.
    const lowestCents = Math.min(...entries.map(({ balanceAfterCents }) => balanceAfterCents));
    const refusedCents = answers.flatMap(({ status }, n) =>
      status === 402 ? [n % 2 === 0 ? colouredCents : priceCents] : [],
    );
    expect(lowestCents).toBeGreaterThanOrEqual(0);
    for (const cents of new Set(refusedCents)) expect(lowestCents).toBeLessThan(cents);
    await expectInvariants();
  }, 120_000);
});

/** An operator's command that met a conflict is given again, with the same reference. */
async function topUpUntilDone(topUp: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await topUp();
      return;
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}
