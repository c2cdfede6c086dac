// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { hasCode } from '#common/errors.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { reconcile } from '#common/operations/reconcile.ts';
import { byLevel, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress, createClient, eventKindsOf, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aPress } from '#test/support/production/a-press.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';

const rounds = byLevel({ quick: 20, full: 100, long: 200 });

describe('POST /v1/mails/{id}/cancel', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const press = aPress();
  const printRules = [{ zone: null, serviceType: null, provider: 'cups' }] as const;
  const scene = startPressScene(world, clock, { printRules, providers: { cups: press.provider } });
  const cancel = (id: string, body?: unknown) => scene.customer.http.post(`/v1/mails/${id}/cancel`, body);
  const detail = async (id: string) => (await scene.customer.http.get(`/v1/mails/${id}`)).body;
  const two = { recipients: [aRequestAddress(), aRequestAddress({ name: 'Bo' })] };
  const violations = async () => {
    const found: unknown[] = [];
    await reconcile({ report: (violation) => found.push(violation) });
    return found;
  };

  test('the letter fails with CANCELLED, is refunded in full, and a second call answers the same', async () => {
    const before = await scene.customer.balanceCents();
    const id = await scene.send(two);
    const open = await detail(id);
    expect(open.actions).toEqual(['cancel', 'reschedule']);
    expect(open.cancellableUntil).toBe((await scene.read(id)).closesAt.toISOString());
    const { status, body } = await cancel(id, { reason: 'Wrong annex' });
    const failure = { code: 'CANCELLED', message: 'Wrong annex' };
    expect([status, body.status, body.failure, body.actions, body.cancellableUntil]).toEqual([
      200,
      'failed',
      failure,
      ['redact'],
      null,
    ]);
    const entries = (await ledgerOf(scene.customer)).filter(
      ({ mailJobId, kind }) => mailJobId === id && kind === 'refund',
    );
    expect(body.refunds).toEqual(
      entries.map(({ _id, itemId, amountCents }) => ({ itemId, transactionId: _id, amountCents })),
    );
    expect(body.refunds).toHaveLength(2);
    expect(await scene.customer.balanceCents()).toBe(before);
    expect(await eventKindsOf(id)).toEqual(['MAIL_QUEUED', 'MAIL_FAILED']);
    const { refunds, ...job } = body;
    expect(await detail(id)).toEqual(job);
    clock.advance(1_000);
    expect(await cancel(id, { reason: 'Another' })).toMatchObject({ status: 200, body: { failure, refunds } });
    const audited = await AuditEntry.find({ action: 'letter.cancelled', subjectId: id }).lean();
    expect(audited.map(({ actor }) => actor)).toEqual([{ kind: 'key', id: scene.customer.keyId }]);
    expect(await scene.customer.balanceCents()).toBe(before);
    expect(await violations()).toEqual([]);
  });

  test('it is possible until the millisecond at which the batch closes', async () => {
    const [early, late] = [await scene.sendRendered(), await scene.sendRendered()];
    clock.set(new Date(early.closesAt.getTime() - 1));
    expect((await cancel(early._id)).status).toBe(200);
    clock.advance(1);
    const refused = await cancel(late._id);
    expect(refused).toMatchObject({ status: 409, body: { code: 'NOT_CANCELLABLE' } });
    expect(refused.body.message).toContain(`Its batch closed at ${late.closesAt.toISOString()}`);
    expect(await detail(late._id)).toMatchObject({ status: 'queued', actions: [], cancellableUntil: null });
    await scene.bringToPress(late._id);
    expect(press.printed.map(({ itemId }) => itemId)).toEqual([late.items[0]?.itemId]);
    expect((await cancel(late._id)).status).toBe(409);
  });

  test('a sandbox letter can be cancelled until it is printed', async () => {
    const sandbox = await world.customer({ organizationId: scene.customer.organizationId });
    const letter = async () => {
      const now = clock.now();
      clock.set(new Date());
      const id = await sandbox.sendAccepted();
      clock.set(now);
      return id;
    };
    const [queued, printed] = [await letter(), await letter()];
    await MailJob.updateMany({ _id: { $in: [queued, printed] } }, { $set: { closesAt: new Date(0) } });
    expect((await sandbox.http.get(`/v1/mails/${queued}`)).body.actions).toEqual(['cancel', 'reschedule', 'simulate']);
    await sandbox.http.post(`/v1/mails/${printed}/simulate`);
    expect((await sandbox.http.post(`/v1/mails/${queued}/cancel`)).status).toBe(200);
    const refused = await sandbox.http.post(`/v1/mails/${printed}/cancel`);
    expect(refused.body).toMatchObject({ code: 'NOT_CANCELLABLE', message: expect.stringContaining('It is printed.') });
  });

  test('only its owner cancels it, with the scope send; without read only the credential that sent it', async () => {
    const id = await scene.send();
    const { organizationId } = scene.customer;
    const stranger = await world.customer({ mode: 'live' });
    const [reader, sender] = [
      await world.customer({ organizationId, mode: 'live', scopes: ['read'] }),
      await world.customer({ organizationId, mode: 'live', scopes: ['send'] }),
    ];
    for (const [{ http }, status] of [
      [stranger, 404],
      [reader, 403],
      [sender, 403],
      [{ http: createClient(world.url) }, 401],
    ] as const) {
      expect((await http.post(`/v1/mails/${id}/cancel`)).status).toBe(status);
    }
    expect((await reader.http.get(`/v1/mails/${id}`)).body.actions).toEqual([]);
    expect(await detail(id)).toMatchObject({ status: 'queued' });
    for (const reason of ['', 'x'.repeat(256), 1]) expect((await cancel(id, { reason })).status).toBe(400);
    expect((await cancel(id, { reason: 'x'.repeat(255) })).status).toBe(200);
  });

  test('against the closing of its batch: cancelled and never printed, or 409 and printed', async () => {
    press.printed.length = 0;
    const letters: MailJobRecord[] = [];
    for (let round = 0; round < rounds; round += 1) letters.push(await scene.sendRendered({ serviceType: 'prior' }));
    const closing = letters[0]?.closesAt ?? new Date(0);
    // The clock of the process that cancels is a moment behind.
    clock.set(new Date(closing.getTime() - 1));
    const early = clock.now();
    await MailJob.updateMany({ _id: { $in: letters.map(({ _id }) => _id) } }, { $set: { 'due.batch.at': early } });
    const answers = new Map<string, number>();
    const cancelAll = (some: typeof letters) =>
      some.map(async ({ _id }) => answers.set(_id, (await untilAnswered(() => cancel(_id))).status));
    /** Beside so many cancellations its transaction may run out of time, as a worker's may: then it is repeated. */
    const collect = (): Promise<void> =>
      scene.collect().catch((error: unknown) => {
        if (!hasCode(error, 'SERVICE_UNAVAILABLE')) throw error;
        return collect();
      });
    // The first ones come before the closing and the last ones after it; the others race it.
    await Promise.all(cancelAll(letters.slice(0, 5)));
    await Promise.all([...cancelAll(letters.slice(5, -5)), collect(), collect()]);
    await Promise.all(cancelAll(letters.slice(-5)));
    clock.set(closing);
    await scene.collect();
    clock.advance(1_000);
    await scene.runBatches();
    const printed = new Set(press.printed.map(({ itemId }) => itemId));
    expect(new Set(answers.values())).toEqual(new Set([200, 409]));
    for (const { _id, items } of letters) {
      const { status, batchId } = await scene.read(_id);
      const isCancelled = answers.get(_id) === 200;
      expect([status, batchId !== undefined, printed.has(items[0]?.itemId ?? '')]).toEqual(
        isCancelled ? ['failed', false, false] : ['queued', true, true],
      );
    }
    expect(press.printed).toHaveLength(printed.size);
    expect(await violations()).toEqual([]);
  });
});
