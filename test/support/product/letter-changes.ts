import { AuditEntry } from '#common/audit/audit.model.ts';
import { Event } from '#common/events/event.model.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { ReturnedItem } from '#common/mail-jobs/model/returned-item.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { markBatch } from '#common/production/operator/mark-batch.ts';
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { expect, standingClock } from '../jest.ts';
import { startAdmin } from '../processes/process-control.ts';
import { openPressScene, type PressScene } from '../production/press-scene.ts';
import { createVisitor, formsOf, type Visitor } from '../web/web-host.ts';
import type { ApiProcess } from './api-fleet.ts';
import { aRequestAddress, createClient, eventKindsOf } from './customer.ts';
import type { World } from './world.ts';

const dayMs = 24 * 3_600_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const two = { recipients: [aRequestAddress(), aRequestAddress({ name: 'Bo' })] };

export type Answered = { status: number };

/** A request about a letter of its own, and what its letter looks like once it was answered. */
export type LetterRequest = {
  ask(api: ApiProcess): Promise<Answered>;
  expectOnce(last: Answered): Promise<void>;
};

/**
 * Requests that change letters, to be made through any process and repeated. Each letter has an owner of its own, so the
 * transaction of a killed process blocks no other.
 */
export function useLetterChanges({ world, admin }: { world: World; admin: Visitor }) {
  const clock = standingClock();

  /** A rendered letter to two recipients, that can be cancelled for days, and its scene. */
  async function aLetter(overrides: Record<string, unknown> = {}) {
    clock.set(new Date());
    const scene = await openPressScene(world, clock, {});
    const paid = await scene.customer.balanceCents();
    const { _id: id } = await scene.sendRendered({ ...two, scheduledDropAt: inDays(10), ...overrides });
    return { scene, id, paid, path: `/v1/mails/${id}` };
  }
  const through = ({ customer }: PressScene, api: ApiProcess) => createClient(api.url, customer.key);
  const historyOf = async (mailJobId: string) =>
    (await ItemHistory.find({ mailJobId }).sort({ _id: 1 }).lean()).map(({ kind }) => kind).sort();
  const auditOf = async (subjectId: string) =>
    (await AuditEntry.find({ subjectId }).lean()).map(({ action }) => action);
  const refundsOf = async (mailJobId: string) =>
    (await LedgerEntry.find({ mailJobId, kind: 'refund' }).lean()).map(({ itemId }) => itemId);

  /** Brings a letter into a batch that waits for the operator. */
  async function bringToPress({ scene, id }: { scene: PressScene; id: string }): Promise<MailJobRecord> {
    const now = clock.now();
    await MailJob.updateOne({ _id: id }, { $set: { closesAt: now, 'due.batch': newDue(now) } });
    return await scene.bringToPress(id);
  }

  async function expectCancelled({ id, paid, scene }: Awaited<ReturnType<typeof aLetter>>): Promise<void> {
    const { status, failure, batchId, items } = await scene.read(id);
    expect([status, failure?.code, batchId]).toEqual(['failed', 'CANCELLED', undefined]);
    expect((await refundsOf(id)).sort()).toEqual(items.map(({ itemId }) => itemId).sort());
    expect(await scene.customer.balanceCents()).toBe(paid);
    expect(await eventKindsOf(id)).toEqual(['MAIL_QUEUED', 'MAIL_FAILED']);
    expect(await historyOf(id)).toEqual(['failed', 'failed', 'refunded', 'refunded']);
    expect(await auditOf(id)).toEqual(['letter.cancelled']);
  }

  async function cancelling(): Promise<LetterRequest> {
    const letter = await aLetter();
    const { scene, path } = letter;
    return {
      ask: (api) => through(scene, api).post(`${path}/cancel`),
      async expectOnce({ status }) {
        expect(status).toBe(200);
        await expectCancelled(letter);
      },
    };
  }

  async function rescheduling(): Promise<LetterRequest> {
    const { scene, id, path } = await aLetter();
    const { dropAt } = await scene.read(id);
    const patch = { scheduledDropAt: inDays(20), metadata: { invoice: '1' } };
    return {
      ask: (api) => through(scene, api).patch(path, patch),
      async expectOnce({ status }) {
        expect(status).toBe(200);
        const job = await scene.read(id);
        expect([job.status, job.dropAt > dropAt, job.due.batch?.at]).toEqual(['queued', true, job.closesAt]);
        expect(await historyOf(id)).toEqual(['rescheduled', 'rescheduled']);
        expect(await refundsOf(id)).toEqual([]);
      },
    };
  }

  async function redacting(): Promise<LetterRequest> {
    const { scene, id, path } = await aLetter();
    expect((await scene.customer.http.post(`${path}/cancel`)).status).toBe(200);
    const key = (await scene.read(id)).printFile?.s3Key ?? '';
    return {
      ask: (api) => through(scene, api).post(`${path}/redact`),
      async expectOnce({ status }) {
        expect(status).toBe(200);
        const { items, redactedAt, printFile } = await scene.read(id);
        expect(items.map(({ name, line1 }) => [name, line1])).toEqual(items.map(() => ['REDACTED', 'REDACTED']));
        expect([redactedAt, printFile?.removedAt]).toEqual([expect.any(Date), expect.any(Date)]);
        expect(await world.store.head(key)).toBeNull();
        expect(await refundsOf(id)).toHaveLength(2);
      },
    };
  }

  /** An operator scans an item that failed. */
  async function failing(): Promise<LetterRequest> {
    const letter = await aLetter({ serviceType: 'prior' });
    const { scene, id } = letter;
    const [first, second] = (await bringToPress(letter)).items.map(({ itemId }) => itemId) as [string, string];
    const page = '/admin/press/scan?mark=failed';
    const form = formsOf((await admin.get(page)).text).find(({ action }) => action.endsWith('/scan'));
    const fields = { ...form?.hidden, code: first, reason: 'It tore.' };
    return {
      ask: (api) => createVisitor(api.webUrl, admin.cookies).post(form?.action ?? '', fields),
      async expectOnce({ status }) {
        expect(status).toBe(200);
        expect((await scene.read(id)).items.map((item) => [item.itemId, item.status])).toEqual([
          [first, 'failed'],
          [second, 'queued'],
        ]);
        expect(await refundsOf(id)).toEqual([first]);
        expect(await historyOf(id)).toEqual(['batched', 'batched', 'failed', 'refunded']);
        expect([await eventKindsOf(id), await auditOf(first)]).toEqual([['MAIL_QUEUED'], ['item.status-set']]);
      },
    };
  }

  async function aReturn() {
    const letter = await aLetter();
    const job = await bringToPress(letter);
    await markBatch(job.batchId ?? '', 'posted', undefined, { hints: world.hints, at: clock.now() });
    await letter.scene.runBatches();
    const itemId = job.items[0]?.itemId ?? '';
    const words = ['item', 'returned', itemId, '--reason', 'moved'];
    return {
      run: (variables: Record<string, string> = {}) => startAdmin(words, { ...world.environment, ...variables }).ended,
      async expectOnce() {
        const { items } = await letter.scene.read(letter.id);
        expect(items.map(({ status, returned }) => [status, returned?.reason])).toEqual([
          ['posted', 'moved'],
          ['posted', undefined],
        ]);
        expect((await historyOf(letter.id)).filter((kind) => kind === 'returned')).toHaveLength(1);
        expect(await auditOf(itemId)).toEqual(['item.returned']);
        expect(await Event.countDocuments({ subjectId: itemId, kind: 'ITEM_RETURNED' })).toBe(1);
        expect(await ReturnedItem.countDocuments({ _id: itemId })).toBe(1);
        expect(await refundsOf(letter.id)).toEqual([]);
      },
    };
  }

  return { requests: { cancelling, rescheduling, redacting, failing }, aReturn };
}
