// Level: push
import { Event } from '#common/events/event.model.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { MailJob, type MailJobRecord, stepWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { copyOutcomes, sandboxPrefix } from '#common/sandbox/steps/sandbox-outcomes.ts';
import { describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress, aSender, issuePaths, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';
import { claimedWork } from '#workers/claimed-work.ts';
import { lifecycleWorker } from '#workers/lifecycle.worker.ts';

const stepMs = 1_000;
const sandbox = { stepDelayS: stepMs / 1_000, pauseS: 600 };

/** What each outcome ends at for a registered letter, and when, in steps after the first one. */
const ends: Record<keyof typeof copyOutcomes, { status: string; code?: string; reason?: string; atStep: number }> = {
  'print-failure': { status: 'failed', code: 'PRINT_FAILED', atStep: 0 },
  'deposit-failure': { status: 'failed', code: 'DEPOSIT_FAILED', atStep: 1 },
  undeliverable: { status: 'posted', reason: 'unknown_address', atStep: 2 },
  'insufficient-address': { status: 'posted', reason: 'insufficient_address', atStep: 2 },
  moved: { status: 'posted', reason: 'moved', atStep: 2 },
  refused: { status: 'posted', reason: 'refused', atStep: 2 },
  unclaimed: { status: 'posted', reason: 'unclaimed', atStep: 2 },
  deceased: { status: 'posted', reason: 'deceased', atStep: 2 },
  'returned-other': { status: 'posted', reason: 'other', atStep: 2 },
  'returned-after-delivery': { status: 'delivered', reason: 'refused', atStep: 3 },
  late: { status: 'delivered', atStep: 11 },
  slow: { status: 'delivered', atStep: 20 },
  stuck: { status: 'printed', atStep: 0 },
};
const names = Object.keys(ends) as (keyof typeof ends)[];

describe('recipients of the sandbox that choose an outcome', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const sender = openOnce(() => aSender(world));
  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();
  const to = (...lines: string[]) => lines.map((line1) => aRequestAddress({ line1 }));
  const recipientsOf = async (id: string) => (await sender.http.get(`/v1/mails/${id}`)).body.recipients;
  const eventsOf = async (id: string) =>
    (
      await Event.find({ $or: [{ subjectId: id }, { mailJobId: id }] })
        .sort({ _id: 1 })
        .lean()
    ).map(({ kind }) => kind);

  /** Takes the step that is due next, as a worker does. Returns whether there was one. */
  async function step(id: string): Promise<boolean> {
    const { step: due } = (await read(id)).due;
    if (!due) return false;
    if (due.at > clock.now()) clock.set(due.at);
    const worker = claimedWork(lifecycleWorker({ clock, hints: world.hints, sandbox }), world.workersOptions);
    const { signal } = new AbortController();
    await worker.handle(id, { closing: signal, signal, log: world.log });
    expect(worker.queue).toBe(stepWork.queue);
    return true;
  }
  /** Sends a letter whose first step is due now: no worker renders it. */
  async function send(overrides: Record<string, unknown>): Promise<string> {
    const id = await sender.sendAccepted(overrides);
    await MailJob.updateOne({ _id: id }, { $set: { due: { step: newDue(clock.now()) } } });
    return id;
  }
  async function finish(id: string): Promise<void> {
    for (let count = 0; await step(id); count += 1) expect(count).toBeLessThan(10);
  }

  test('each outcome of the table is tested', () => {
    expect(names).toEqual(Object.keys(copyOutcomes));
  });

  test.each(names)('sandbox:%s ends as the table says, with exact money', async (name) => {
    const { status, code, reason, atStep } = ends[name];
    const balanceCents = await sender.balanceCents();
    const before = (await ledgerOf(sender)).length;
    const startedAt = clock.now().getTime();
    const id = await send({ serviceType: 'registered', recipients: to(`${sandboxPrefix}${name}`) });
    const statuses: string[] = [];
    for (let count = 0; await step(id); count += 1) {
      statuses.push((await read(id)).status);
      expect(count).toBeLessThan(10);
    }
    expect(clock.now().getTime() - startedAt).toBe(atStep * stepMs);

    const { body } = await sender.http.get(`/v1/mails/${id}`);
    expect(body.recipients[0]).toMatchObject({
      status,
      failure: code === undefined ? null : { code },
      returned: reason === undefined ? null : { reason },
    });
    expect([body.status, body.failure?.code, (await read(id)).due]).toEqual([status, code, {}]);
    const reported = [...new Set(statuses)].map((each) => `MAIL_${each.toUpperCase()}`);
    expect(await eventsOf(id)).toEqual(['MAIL_QUEUED', ...reported, ...(reason ? ['ITEM_RETURNED'] : [])]);
    const kinds = (await ledgerOf(sender)).slice(before).map(({ kind }) => kind);
    expect(kinds).toEqual(code ? ['debit', 'refund'] : ['debit']);
    expect(await sender.balanceCents()).toBe(balanceCents - (code ? 0 : body.totalCents));
    expect(body.refundedCents).toBe(code ? body.totalCents : 0);
    const actors = await ItemHistory.distinct('by', { mailJobId: id, kind: { $ne: 'refunded' } });
    expect(actors).toEqual(['sandbox']);
    expect(await findViolations()).toEqual([]);
  });

  test('one letter mixes outcomes: each copy has its own, and its share is refunded', async () => {
    const balanceCents = await sender.balanceCents();
    const chosen = ['sandbox:print-failure', 'sandbox:deposit-failure', 'sandbox:refused', 'Rue Haute 1'];
    const id = await send({ serviceType: 'registered', recipients: to(...chosen) });
    await finish(id);
    const { body } = await sender.http.get(`/v1/mails/${id}`);
    const ends = body.recipients.map((each: { status: string; failure: { code: string } | null }) => [
      each.status,
      each.failure?.code,
    ]);
    expect(ends).toEqual([
      ['failed', 'PRINT_FAILED'],
      ['failed', 'DEPOSIT_FAILED'],
      ['posted', undefined],
      ['delivered', undefined],
    ]);
    const shares = (await read(id)).items.slice(0, 2).reduce((sum, { shareCents }) => sum + shareCents, 0);
    expect([body.status, body.failure, body.refundedCents]).toEqual(['posted', null, shares]);
    expect(await sender.balanceCents()).toBe(balanceCents - body.totalCents + shares);
    expect(await eventsOf(id)).toEqual(['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'ITEM_RETURNED']);
    expect(await findViolations()).toEqual([]);
  });

  test('a stuck copy rests while the others go on, and simulate moves it', async () => {
    const id = await send({ serviceType: 'registered', recipients: to('sandbox:stuck', 'Rue Haute 1') });
    await finish(id);
    const statuses = async () => (await recipientsOf(id)).map(({ status }: { status: string }) => status);
    expect([await statuses(), (await read(id)).status]).toEqual([['printed', 'delivered'], 'printed']);
    await sender.http.post(`/v1/mails/${id}/simulate`);
    expect(await statuses()).toEqual(['posted', 'delivered']);
    await finish(id);
    expect([await statuses(), (await read(id)).status]).toEqual([['delivered', 'delivered'], 'delivered']);
  });

  test('a copy of a standard letter that comes back after delivery comes back from posted', async () => {
    const id = await send({ recipients: to('sandbox:returned-after-delivery', 'sandbox:late') });
    await finish(id);
    expect(await recipientsOf(id)).toMatchObject([
      { status: 'posted', returned: { reason: 'refused' } },
      { status: 'posted', returned: null },
    ]);
  });

  test('a step that is repeated after its worker died returns a copy once', async () => {
    const id = await send({ recipients: to('sandbox:moved') });
    await step(id);
    await step(id);
    const { due } = await read(id);
    await step(id);
    await MailJob.updateOne({ _id: id }, { $set: { due: { step: newDue(due.step?.at ?? clock.now()) } } });
    await finish(id);
    expect((await eventsOf(id)).filter((kind) => kind === 'ITEM_RETURNED')).toHaveLength(1);
    expect(await ItemHistory.countDocuments({ mailJobId: id, kind: 'returned' })).toBe(1);
  });

  test('an unknown outcome is a 400 that names the known ones, also in the address book', async () => {
    const entry = { kind: 'RECIPIENT', ...aRequestAddress({ line1: 'sandbox:nothing' }) };
    const { id: addressId } = (await sender.http.post('/v1/addresses', entry)).body;
    const balanceCents = await sender.balanceCents();
    for (const recipient of [aRequestAddress({ line1: 'sandbox:nothing' }), { addressId }]) {
      const answer = await sender.send({ recipients: [aRequestAddress(), recipient] });
      expect([answer.status, issuePaths(answer)]).toEqual([400, ['recipients.1.line1']]);
      for (const name of names) expect(answer.body.issues[0].message).toContain(name);
    }
    for (const line1 of ['sandbox:', 'sandbox:constructor', 'sandbox:Moved', 'Sandbox:moved', 'SANDBOX :moved']) {
      expect((await sender.send({ recipients: to(line1) })).status).toBe(400);
    }
    expect(await sender.balanceCents()).toBe(balanceCents);
  });

  test('a live letter with such a recipient is refused with what to do', async () => {
    const live = await aSender(world, { mode: 'live', balanceCents: 10_000 });
    for (const line1 of ['sandbox:moved', 'Sandbox:Moved']) {
      const answer = await live.send({ recipients: to(line1) });
      expect([answer.status, issuePaths(answer)]).toEqual([400, ['recipients.0.line1']]);
      expect(answer.body.issues[0].message).toMatch(/use a test key/);
    }
    expect(await live.balanceCents()).toBe(10_000);
  });
});
