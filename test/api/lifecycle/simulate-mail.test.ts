// Level: push
import { Event } from '#common/events/event.model.ts';
import { byLevel, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPostalAddress, aSender, eventKindsOf, issuePaths, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';

type Status = 'queued' | 'printed' | 'posted' | 'delivered' | 'failed';
const way = ['queued', 'printed', 'posted', 'delivered'] as const;
const isFinal = (status: Status) => status === 'delivered' || status === 'failed';
const statuses: Status[] = [...way, 'failed'];
const pairs = statuses.flatMap((from) =>
  [undefined, 'printed', 'posted', 'delivered', 'failed'].map((to) => [from, to as Status | undefined] as const),
);

const racers = byLevel({ quick: 20, full: 40 });

const world = startWorld();
const sender = openOnce(() => aSender(world));

/** The transitions of the specification: the status after `from`, for a target or without one. Null is a conflict. */
function expected(from: Status, to: Status | undefined): Status | null {
  if (isFinal(from)) return null;
  if (to === undefined) return way[way.indexOf(from as 'queued') + 1] ?? null;
  if (to === 'failed') return to;
  return way.indexOf(to) > way.indexOf(from as 'queued') ? to : null;
}

describe('POST /v1/mails/{id}/simulate', () => {
  const simulate = (id: string, body?: unknown, from = sender) => from.http.post(`/v1/mails/${id}/simulate`, body);
  async function aJob(status: Status, overrides: Record<string, unknown> = {}): Promise<string> {
    const { mailJobId } = (await sender.send(overrides)).body;
    if (status !== 'queued') expect((await simulate(mailJobId, { to: status })).status).toBe(200);
    return mailJobId;
  }

  test.each(pairs)('a job that is %s, simulated to %s, follows the specification', async (from, to) => {
    const id = await aJob(from);
    const before = (await sender.http.get(`/v1/mails/${id}`)).body;
    const kinds = await eventKindsOf(id);
    const reached = expected(from, to);
    const answer = await simulate(id, to === undefined ? undefined : { to });
    const after = (await sender.http.get(`/v1/mails/${id}`)).body;
    if (reached === null) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT', message: expect.any(String) } });
      expect(after).toEqual(before);
      expect(await eventKindsOf(id)).toEqual(kinds);
      return;
    }
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ mailJobId: id, previousStatus: from, status: reached });
    // One event, of the new status. Skipped statuses have no event and no time.
    expect(await eventKindsOf(id)).toEqual([...kinds, `MAIL_${reached.toUpperCase()}`]);
    const moment = `${reached}At`;
    const failure = reached === 'failed' ? { code: 'SIMULATED', message: expect.any(String) } : null;
    expect(after).toEqual({
      ...before,
      status: reached,
      counts: { ...before.counts, [from]: 0, [reached]: 1 },
      recipients: [{ ...before.recipients[0], status: reached, failure }],
      actions: [
        ...(isFinal(reached) ? [] : ['simulate']),
        ...(isFinal(reached) || reached === 'posted' ? ['redact'] : []),
      ],
      cancellableUntil: null,
      updatedAt: after[moment],
      [moment]: expect.any(String),
      failure,
      refundedCents: reached === 'failed' ? before.totalCents : 0,
    });
  });

  test.each([{}, { to: null }, undefined])('the body %j advances a job by one step', async (body) => {
    expect((await simulate(await aJob('queued'), body)).body.status).toBe('printed');
  });

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
  ])('the body %j is refused with 400 and the job stays unchanged', async (body, path) => {
    const id = await aJob('queued');
    const answer = await simulate(id, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(issuePaths(answer)).toEqual([path]);
    expect((await sender.http.get(`/v1/mails/${id}`)).body.status).toBe('queued');
  });

  test('each event has the time of its status, and a failure its reason', async () => {
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

  test('a failed letter to seven recipients refunds each share once', async () => {
    const balanceCents = await sender.balanceCents();
    const recipients = [1, 2, 3, 4, 5, 6, 7].map((n) => aPostalAddress({ name: `Recipient ${n}` }));
    const id = await aJob('printed', { recipients });
    const before = (await ledgerOf(sender)).length;
    await simulate(id, { to: 'failed' });
    expect((await simulate(id, { to: 'failed' })).status).toBe(409);
    // 1,548 cents: six refunds of 221 and the last of 222.
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

  test('a live key gets 403 before any other check', async () => {
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

describe('concurrent simulates of one job', () => {
  /** Creates a job and simulates it concurrently with each body. */
  async function race(bodies: unknown[]) {
    const recipients = [1, 2, 3].map((n) => aPostalAddress({ name: `Recipient ${n}` }));
    const id = (await sender.send({ recipients })).body.mailJobId;
    const move = (body: unknown) => untilAnswered(() => sender.http.post(`/v1/mails/${id}/simulate`, body));
    const answers = await Promise.all(bodies.map(move));
    const winners = answers.filter(({ status }) => status === 200);
    return { id, answers, moves: winners.map(({ body }) => `${body.previousStatus} > ${body.status}`).sort() };
  }
  const others = (answers: { status: number }[]) =>
    answers.filter(({ status }) => status !== 200).map(({ status }) => status);

  test('concurrent steps, jumps and failures form one path, and the refund matches it', async () => {
    for (const round of [1, 2, 3]) {
      const balanceCents = await sender.balanceCents();
      const targets = [undefined, { to: 'posted' }, { to: 'delivered' }, { to: 'failed' }];
      const { id, answers, moves } = await race(Array.from({ length: racers }, (_, n) => targets[(n + round) % 4]));
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
