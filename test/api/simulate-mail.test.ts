import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../common/ids.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { aPostalAddress } from '../support/builders.ts';
import { aSender, eventKindsOf, issuePaths, ledgerOf, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

type Status = 'queued' | 'printed' | 'posted' | 'delivered' | 'failed';
const way = ['queued', 'printed', 'posted', 'delivered'] as const;
const isFinal = (status: Status) => status === 'delivered' || status === 'failed';

/** The table of the specification: where `from` goes for a target, or without one; null is a conflict. */
function expected(from: Status, to: Status | undefined): Status | null {
  if (isFinal(from)) return null;
  if (to === undefined) return way[way.indexOf(from as 'queued') + 1] ?? null;
  if (to === 'failed') return to;
  return way.indexOf(to) > way.indexOf(from as 'queued') ? to : null;
}
const statuses: Status[] = [...way, 'failed'];
const pairs = statuses.flatMap((from) =>
  [undefined, 'printed', 'posted', 'delivered', 'failed'].map((to) => [from, to as Status | undefined] as const),
);

describe('POST /v1/mails/{id}/simulate', () => {
  const world = startWorld();
  let sender: Sender;
  beforeAll(async () => {
    sender = await aSender(world);
  });
  const simulate = (id: string, body?: unknown, from = sender) => from.http.post(`/v1/mails/${id}/simulate`, body);
  async function aJob(status: Status, overrides: Record<string, unknown> = {}): Promise<string> {
    const { mailJobId } = (await sender.send(overrides)).body;
    if (status !== 'queued') expect((await simulate(mailJobId, { to: status })).status).toBe(200);
    return mailJobId;
  }

  test.each(pairs)(
    'given a job that is %s, when it is simulated to %s, then it does what the table says',
    async (from, to) => {
      // given: a standard letter, which the table knows no exception for
      const id = await aJob(from);
      const before = (await sender.http.get(`/v1/mails/${id}`)).body;
      const kinds = await eventKindsOf(id);
      const reached = expected(from, to);
      // when
      const answer = await simulate(id, to === undefined ? undefined : { to });
      // then
      const after = (await sender.http.get(`/v1/mails/${id}`)).body;
      if (reached === null) {
        expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT', message: expect.any(String) } });
        expect(after).toEqual(before);
        expect(await eventKindsOf(id)).toEqual(kinds);
        return;
      }
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ mailJobId: id, previousStatus: from, status: reached });
      // One event, of the status reached; the skipped ones stay without event and moment.
      expect(await eventKindsOf(id)).toEqual([...kinds, `MAIL_${reached.toUpperCase()}`]);
      const moment = `${reached}At`;
      expect(after).toEqual({
        ...before,
        status: reached,
        counts: { ...before.counts, [from]: 0, [reached]: 1 },
        recipients: [{ ...before.recipients[0], status: reached }],
        updatedAt: after[moment],
        [moment]: expect.any(String),
        failure: reached === 'failed' ? { code: 'SIMULATED', message: expect.any(String) } : null,
        refundedCents: reached === 'failed' ? before.totalCents : 0,
      });
    },
  );

  test.each([{}, { to: null }, undefined])(
    'given the body %j, when a job is simulated, then it goes one step',
    async (body) => {
      expect((await simulate(await aJob('queued'), body)).body.status).toBe('printed');
    },
  );

  test.each([
    [{ to: 'queued' }, 'to'],
    [{ to: 'POSTED' }, 'to'],
    [{ to: '' }, 'to'],
    [{ to: 1 }, 'to'],
    [{ to: ['posted'] }, 'to'],
    [{ target: 'posted' }, 'target'],
    [[], ''],
    [null, ''],
    ['posted', ''],
  ])('given the body %j, when a job is simulated, then 400 and it stays', async (body, path) => {
    const id = await aJob('queued');
    const answer = await simulate(id, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(issuePaths(answer)).toEqual([path]);
    expect((await sender.http.get(`/v1/mails/${id}`)).body.status).toBe('queued');
  });

  test('given each event, when its payload is read, then it has the moment of its status, and a failure its reason', async () => {
    const id = await aJob('printed', { externalId: 'payload' });
    await simulate(id, { to: 'failed' });
    const detail = (await sender.http.get(`/v1/mails/${id}`)).body;
    const bodies = (await Event.find({ subjectId: id }).sort({ _id: 1 }).lean()).map(({ body }) => JSON.parse(body));
    const common = { mailJobId: id, externalId: 'payload' };
    expect(bodies.slice(1)).toEqual([
      { event: 'MAIL_PRINTED', ...common, status: 'printed', printedAt: detail.printedAt },
      { event: 'MAIL_FAILED', ...common, status: 'failed', failedAt: detail.failedAt, failure: detail.failure },
    ]);
  });

  test('given a letter to seven, when it fails, then each share is refunded once and the wallet is whole again', async () => {
    // given
    const balanceCents = await sender.balanceCents();
    const recipients = [1, 2, 3, 4, 5, 6, 7].map((n) => aPostalAddress({ name: `Recipient ${n}` }));
    const id = await aJob('printed', { recipients });
    const before = (await ledgerOf(sender)).length;
    // when
    await simulate(id, { to: 'failed' });
    expect((await simulate(id, { to: 'failed' })).status).toBe(409);
    // then: of 1,548 cents six are refunded 221 and the last one the rest
    const refunds = (await ledgerOf(sender)).slice(before);
    const { recipients: items } = (await sender.http.get(`/v1/mails/${id}`)).body;
    const rows = refunds.map(({ kind, amountCents, itemId, mailJobId }) => ({ kind, amountCents, itemId, mailJobId }));
    expect(rows).toEqual(
      items.map(({ itemId }: { itemId: string }, index: number) => {
        return { kind: 'refund', amountCents: index < 6 ? 221 : 222, itemId, mailJobId: id };
      }),
    );
    expect(await sender.balanceCents()).toBe(balanceCents);
  });

  test('given a job of another organization, or none, when it is simulated, then 404 and nothing moves', async () => {
    const id = await aJob('queued');
    const stranger = await aSender(world);
    for (const each of [
      await simulate(id, { to: 'posted' }, stranger),
      await simulate(newId('mj')),
      await simulate('x'),
    ]) {
      expect(each).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect((await sender.http.get(`/v1/mails/${id}`)).body.status).toBe('queued');
  });

  test('given a live key, when it simulates, then 403 before anything else is looked at', async () => {
    const { organizationId } = sender;
    const live = await aSender(world, { organizationId, mode: 'live', balanceCents: 1_000 });
    const liveJobId = (await live.send()).body.mailJobId;
    const forbidden = { status: 403, body: { code: 'FORBIDDEN' } };
    const headers = { 'content-type': 'application/json' };
    const raw = (init: RequestInit) => live.http.request('POST', `/v1/mails/${liveJobId}/simulate?x=1`, init);
    expect(await simulate(liveJobId, { to: 'printed' }, live)).toMatchObject(forbidden);
    expect(await simulate('no-id', { to: 'nowhere' }, live)).toMatchObject(forbidden);
    expect(await raw({ body: '{', headers })).toMatchObject(forbidden);
    expect(await raw({ body: '<x/>', headers: { 'content-type': 'text/xml' } })).toMatchObject(forbidden);
    expect(await raw({ body: 'x'.repeat(1_048_577), headers })).toMatchObject(forbidden);
    expect((await live.http.get(`/v1/mails/${liveJobId}`)).body.status).toBe('queued');
  });
});
