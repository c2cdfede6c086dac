import { beforeAll, describe, expect, test } from '@jest/globals';
import type { MailStatus } from '../../common/mail-jobs/lifecycle.ts';
import { setLiveStatus } from '../../common/mail-jobs/set-live-status.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { aLetter } from '../support/builders.ts';
import type { Customer } from '../support/customer.ts';
import { startWorld } from '../support/world.ts';

describe("the status of a live letter, set by the operator's word", () => {
  const world = startWorld();
  let customer: Customer;

  beforeAll(async () => {
    customer = await world.customer({ mode: 'live', balanceCents: 100_000 });
  });

  const set = (mailJobId: string, target: MailStatus, reason?: string) =>
    setLiveStatus({ mailJobId, target, reason }, world.hints, world.clock.now());
  async function sendLive(): Promise<{ mailJobId: string; totalCents: number }> {
    const sent = await customer.http.post('/v1/mails', await aLetter(customer));
    expect(sent.status).toBe(201);
    return sent.body;
  }
  const read = async (mailJobId: string) => (await customer.http.get(`/v1/mails/${mailJobId}`)).body;
  const kindsOf = async (subjectId: string) =>
    (await Event.find({ subjectId }).sort({ _id: 1 })).map(({ kind }) => kind);

  test('given a live letter, when it is printed, posted and delivered, then each step has its moment and its event', async () => {
    const { mailJobId } = await sendLive();
    expect(await set(mailJobId, 'printed')).toEqual({ mailJobId, previousStatus: 'queued', status: 'printed' });
    expect(await set(mailJobId, 'posted')).toEqual({ mailJobId, previousStatus: 'printed', status: 'posted' });
    expect(await set(mailJobId, 'delivered')).toEqual({ mailJobId, previousStatus: 'posted', status: 'delivered' });
    const moment = expect.any(String);
    expect(await read(mailJobId)).toMatchObject({ printedAt: moment, postedAt: moment, deliveredAt: moment });
    expect(await kindsOf(mailJobId)).toEqual(['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED']);
  });

  test.each<[MailStatus[], string]>([
    [[], 'PRINT_FAILED'],
    [['printed'], 'DEPOSIT_FAILED'],
    [['printed', 'posted'], 'DEPOSIT_FAILED'],
  ])('given a live letter after %j, when it fails, then the code is %s and the money is back', async (before, code) => {
    const balanceCents = await customer.balanceCents();
    const { mailJobId, totalCents } = await sendLive();
    for (const status of before) await set(mailJobId, status);
    await set(mailJobId, 'failed', 'The paper is wet.');
    const failure = { code, message: 'The paper is wet.' };
    expect(await read(mailJobId)).toMatchObject({ status: 'failed', failure, refundedCents: totalCents });
    expect(await customer.balanceCents()).toBe(balanceCents);
    await expect(set(mailJobId, 'delivered')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('given a failure without a reason, when it is read, then a sentence of ours says what failed', async () => {
    const { mailJobId } = await sendLive();
    await set(mailJobId, 'failed');
    expect((await read(mailJobId)).failure.message).toBe('The letter could not be printed.');
  });

  test.each<MailStatus>(['queued', 'printed', 'posted'])(
    'given a live letter that is posted, when it is to become %s, then it is refused and stays',
    async (target) => {
      const { mailJobId } = await sendLive();
      await set(mailJobId, 'posted');
      await expect(set(mailJobId, target)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await read(mailJobId)).toMatchObject({ status: 'posted', printedAt: null });
    },
  );

  test('given a reason, when the status is no failure, then it is refused', async () => {
    const { mailJobId } = await sendLive();
    await expect(set(mailJobId, 'printed', 'just so')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await read(mailJobId)).status).toBe('queued');
  });

  test('given ten operators at once, when each fails the same letter, then one does and it is refunded once', async () => {
    const balanceCents = await customer.balanceCents();
    const { mailJobId } = await sendLive();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => set(mailJobId, 'failed')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await customer.balanceCents()).toBe(balanceCents);
  });

  test('given a sandbox letter or none at all, when its status is to be set, then it is refused', async () => {
    const sandbox = await world.customer();
    const { mailJobId } = (await sandbox.http.post('/v1/mails', await aLetter(sandbox))).body;
    await expect(set(mailJobId, 'printed')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(set('mj_01kaj1zz5ke6btkfgrme3d6qfa', 'printed')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await sandbox.http.get(`/v1/mails/${mailJobId}`)).body.status).toBe('queued');
  });
});
