import { beforeAll, describe, expect, test } from '@jest/globals';
import { aPostalAddress } from '../support/builders.ts';
import type { Answer } from '../support/client.ts';
import { aSender, eventKindsOf, ledgerOf, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

describe('many simulates of one job at once', () => {
  const world = startWorld();
  let sender: Sender;
  beforeAll(async () => {
    sender = await aSender(world);
  });

  /** Simulates a fresh job, with each body at once. */
  async function race(bodies: unknown[]): Promise<{ id: string; answers: Answer[]; moves: string[] }> {
    const recipients = [1, 2, 3].map((n) => aPostalAddress({ name: `Recipient ${n}` }));
    const id = (await sender.send({ recipients })).body.mailJobId;
    const answers = await Promise.all(bodies.map((body) => sender.http.post(`/v1/mails/${id}/simulate`, body)));
    const winners = answers.filter(({ status }) => status === 200);
    return { id, answers, moves: winners.map(({ body }) => `${body.previousStatus} > ${body.status}`).sort() };
  }
  const others = (answers: Answer[]) => answers.filter(({ status }) => status !== 200).map(({ status }) => status);

  test('given a queued job, when 100 want the next step, then three win one step each, the rest get 409', async () => {
    const { id, answers, moves } = await race(Array(100).fill(undefined));
    expect(moves).toEqual(['posted > delivered', 'printed > posted', 'queued > printed']);
    expect(others(answers)).toEqual(Array(97).fill(409));
    expect(await eventKindsOf(id)).toEqual(['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED']);
  });

  test('given a queued job, when 100 want it failed, then one wins, and it is refunded once', async () => {
    const balanceCents = await sender.balanceCents();
    const before = (await ledgerOf(sender)).length;
    const { id, answers, moves } = await race(Array(100).fill({ to: 'failed' }));
    expect(moves).toEqual(['queued > failed']);
    expect(others(answers)).toEqual(Array(99).fill(409));
    expect(await eventKindsOf(id)).toEqual(['MAIL_QUEUED', 'MAIL_FAILED']);
    const kinds = (await ledgerOf(sender)).slice(before).map(({ kind }) => kind);
    expect(kinds).toEqual(['debit', 'refund', 'refund', 'refund']);
    expect(await sender.balanceCents()).toBe(balanceCents);
  });

  test('given a queued job, when steps, jumps and failures race, then the winners make one way, and money follows it', async () => {
    for (const round of [1, 2, 3]) {
      // given
      const balanceCents = await sender.balanceCents();
      const targets = [undefined, { to: 'posted' }, { to: 'delivered' }, { to: 'failed' }];
      // when
      const { id, answers, moves } = await race(Array.from({ length: 40 }, (_, n) => targets[(n + round) % 4]));
      // then
      const { body: job } = await sender.http.get(`/v1/mails/${id}`);
      expect(['delivered', 'failed']).toContain(job.status);
      const path = ['queued'];
      for (const _ of moves)
        path.push(moves.find((move) => move.startsWith(`${path.at(-1)} >`))?.split(' > ')[1] ?? 'gap');
      expect(path.at(-1)).toBe(job.status);
      expect(await eventKindsOf(id)).toEqual(path.map((status) => `MAIL_${status.toUpperCase()}`));
      expect(new Set(others(answers))).toEqual(new Set([409]));
      const costCents = job.status === 'failed' ? 0 : job.totalCents;
      expect(await sender.balanceCents()).toBe(balanceCents - costCents);
      expect(job.refundedCents).toBe(job.totalCents - costCents);
    }
  });
});
