// Level: push
import { Event, type EventKind } from '#common/events/event.model.ts';

import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import { setLetterStatus } from '#common/production/operator/set-letter-status.ts';
import { describe, expect, openOnce, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { adminOf } from '../support/wallet/admin.ts';

const world = startWorld();

describe('mail set-status', () => {
  const setStatus = (words: string[], variables: Record<string, string> = {}) =>
    adminOf(world)(['mail', 'set-status', ...words, '--json'], variables);

  test('setting the status of a live letter stores it and notifies the workers each time', async () => {
    const customer = await world.customer({ mode: 'live', balanceCents: 100_000 });
    const { mailJobId } = (await customer.send()).body;
    // The API may still be sending the hint of MAIL_QUEUED, so only the hint of this event counts.
    async function isHinted(kind: EventKind): Promise<boolean> {
      const { _id } = await Event.findOne({ subjectId: mailJobId, kind }).orFail();
      return (await world.hints.listQueued('fan-out', 100)).includes(_id);
    }

    const printed = await setStatus([mailJobId, 'printed']);
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(printed.stdout)).toEqual({ mailJobId, previousStatus: 'queued', status: 'printed' });
    expect(await isHinted('MAIL_PRINTED')).toBe(true);

    const failed = await setStatus([mailJobId, 'failed', '--reason', 'The paper is wet.']);
    expect(JSON.parse(failed.stdout)).toEqual({ mailJobId, previousStatus: 'printed', status: 'failed' });
    expect(await isHinted('MAIL_FAILED')).toBe(true);
    const failure = { code: 'DEPOSIT_FAILED', message: 'The paper is wet.' };
    expect((await customer.http.get(`/v1/mails/${mailJobId}`)).body).toMatchObject({ status: 'failed', failure });

    const again = await setStatus([mailJobId, 'posted']);
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: 'A mail job that is failed cannot become posted.\n' });
  });

  test('the status of a live letter can be set while Redis is down', async () => {
    const customer = await world.customer({ mode: 'live', balanceCents: 100_000 });
    const { mailJobId } = (await customer.send()).body;
    const { code, stdout } = await setStatus([mailJobId, 'printed'], { REDIS_URL: 'redis://127.0.0.1:1' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'printed' });
  });
});

describe('the status of a live letter, set by the operator', () => {
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 100_000 }));
  const set = (mailJobId: string, target: MailStatus, reason?: string) =>
    setLetterStatus({ mailJobId, target, reason }, { hints: world.hints, at: world.clock.now() });
  const read = async (mailJobId: string) => (await customer.http.get(`/v1/mails/${mailJobId}`)).body;
  const kindsOf = async (subjectId: string) =>
    (await Event.find({ subjectId }).sort({ _id: 1 })).map(({ kind }) => kind);

  test('printing, posting and delivering a letter each record a time and an event', async () => {
    const mailJobId = await customer.sendAccepted();
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
  ])('a live letter that fails after %j has the code %s and is refunded', async (before, code) => {
    const balanceCents = await customer.balanceCents();
    const { mailJobId, totalCents } = (await customer.send()).body;
    for (const status of before) await set(mailJobId, status);
    await set(mailJobId, 'failed', 'The paper is wet.');
    const failure = { code, message: 'The paper is wet.' };
    expect(await read(mailJobId)).toMatchObject({ status: 'failed', failure, refundedCents: totalCents });
    expect(await customer.balanceCents()).toBe(balanceCents);
    await expect(set(mailJobId, 'delivered')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('a failure without a reason gets a default message', async () => {
    const mailJobId = await customer.sendAccepted();
    await set(mailJobId, 'failed');
    expect((await read(mailJobId)).failure.message).toBe('The letter could not be printed.');
  });

  test.each<MailStatus>(['queued', 'printed', 'posted'])('a posted live letter cannot become %s', async (target) => {
    const mailJobId = await customer.sendAccepted();
    await set(mailJobId, 'posted');
    await expect(set(mailJobId, target)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await read(mailJobId)).toMatchObject({ status: 'posted', printedAt: null });
  });

  test('a reason is refused for a status other than failed', async () => {
    const mailJobId = await customer.sendAccepted();
    await expect(set(mailJobId, 'printed', 'just so')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await read(mailJobId)).status).toBe('queued');
  });

  test('the status of a sandbox letter or an unknown letter cannot be set', async () => {
    const sandbox = await world.customer();
    const { mailJobId } = (await sandbox.send()).body;
    await expect(set(mailJobId, 'printed')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(set('mj_01kaj1zz5ke6btkfgrme3d6qfa', 'printed')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await sandbox.http.get(`/v1/mails/${mailJobId}`)).body.status).toBe('queued');
  });
});
