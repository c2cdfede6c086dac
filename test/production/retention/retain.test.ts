// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { reconcile } from '#common/operations/reconcile.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { markBatch } from '#common/production/operator/mark-batch.ts';
import { setLetterStatus } from '#common/production/operator/set-letter-status.ts';
import { personalData } from '#common/production/retention/personal-data.ts';
import { redactOldAddresses, removeOldDocuments } from '#common/production/retention/retain.ts';
import { removePrintParts } from '#common/production/submission/print-parts.ts';
import { models } from '#common/schema/migrations.ts';
import { StorageUse } from '#common/uploads/storage-use.model.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

const dayMs = 24 * 3_600_000;

test('every collection says whether it holds a person', () => {
  const { erased, removed, owned, none } = personalData;
  const said = [...Object.keys(erased), ...Object.keys(removed), ...owned, ...none];
  expect(said.toSorted()).toEqual(models.map(({ collection }) => collection.name).toSorted());
});

describe('the retention of letters', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const rules = { documentDays: 30, addressDays: 60 };
  const deps = () => ({ store: world.store, log: world.log });
  const set = async (mailJobId: string, target: MailJobRecord['status']) =>
    await setLetterStatus({ mailJobId, target }, { hints: world.hints, at: clock.now() });
  const redact = (id: string) => scene.customer.http.post(`/v1/mails/${id}/redact`);
  const ofPeople = ['Secret Lane 9', 'Hidden Floor 3', 'Bo Hidden'];

  test('documents go N days after the last status, and recipients M days after it, each on its millisecond', async () => {
    const job = await scene.sendRendered({ serviceType: 'registered' });
    await set(job._id, 'posted');
    clock.advance(59 * dayMs);
    // A registered letter that is posted still waits for its delivery.
    expect([
      await removeOldDocuments(rules, deps(), clock.now()),
      await redactOldAddresses(rules, clock.now()),
    ]).toEqual([0, 0]);
    await set(job._id, 'delivered');
    const key = job.printFile?.s3Key ?? '';

    clock.advance(30 * dayMs - 1);
    expect(await removeOldDocuments(rules, deps(), clock.now())).toBe(0);
    expect(await world.store.head(key)).not.toBeNull();
    clock.advance(1);
    expect(await removeOldDocuments(rules, deps(), clock.now())).toBe(1);
    expect(await world.store.head(key)).toBeNull();
    expect((await scene.customer.http.get(`/v1/mails/${job._id}/proof`)).status).toBe(404);

    clock.advance(30 * dayMs - 1);
    expect(await redactOldAddresses({ ...rules, addressDays: null }, clock.now())).toBe(0);
    expect(await redactOldAddresses(rules, clock.now())).toBe(0);
    clock.advance(1);
    expect(await redactOldAddresses(rules, clock.now())).toBe(1);
    const { items, redactedAt, retention } = await scene.read(job._id);
    expect(items[0]).toMatchObject({
      name: 'REDACTED',
      line1: 'REDACTED',
      line2: null,
      zip: 'REDACTED',
      country: 'BE',
    });
    expect([redactedAt, retention]).toEqual([clock.now(), {}]);
    expect([
      await removeOldDocuments(rules, deps(), clock.now()),
      await redactOldAddresses(rules, clock.now()),
    ]).toEqual([0, 0]);
  });

  test('a letter without registration settles when it is posted, a failed one when it fails', async () => {
    const [posted, failed] = [await scene.sendRendered(), await scene.sendRendered()];
    await set(posted._id, 'printed');
    expect((await scene.read(posted._id)).retention).toBeUndefined();
    await set(posted._id, 'posted');
    await set(failed._id, 'failed');
    for (const { _id } of [posted, failed]) {
      expect((await scene.read(_id)).retention).toEqual({ documentsFrom: clock.now(), addressesFrom: clock.now() });
    }
  });

  test('the merged copies of its batch go with a redacted letter, once the batch is printed', async () => {
    const job = await scene.sendRendered();
    await scene.bringToPress(job._id);
    const { _id: batchId } = await scene.batchOf(job._id);
    const s3Key = `press/${batchId}/part-1.pdf`;
    await world.store.put({ key: s3Key, contentType: 'application/pdf', bytes: Buffer.from('%PDF') });
    const part = { s3Key, pageCount: 1, sizeBytes: 4, firstSequence: 1, copyCount: 1 };
    const kept = { printParts: [part], removePartsAt: new Date('2099-01-01') };
    await Batch.updateOne({ _id: batchId }, { $set: kept });
    await markBatch(batchId, 'posted', undefined, { hints: world.hints, at: clock.now() });
    await scene.runBatches();
    expect(await removePrintParts(deps(), clock.now())).toBe(0);
    await redact(job._id);
    expect(await removePrintParts(deps(), clock.now())).toBe(1);
    expect([await world.store.head(s3Key), (await scene.batchOf(job._id)).printParts]).toEqual([null, []]);
  });

  test('POST /v1/mails/{id}/redact does both at once, once, and leaves the ledger', async () => {
    const two = {
      recipients: [
        aRequestAddress({ line1: 'Secret Lane 9', line2: 'Hidden Floor 3' }),
        aRequestAddress({ name: 'Bo Hidden' }),
      ],
    };
    const job = await scene.sendRendered(two);
    const bytesOf = async () =>
      (await StorageUse.findOne({ organizationId: job.organizationId, mode: 'live' }).lean())?.bytes;
    const refused = await redact(job._id);
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    await set(job._id, 'posted');
    const entries = await ledgerOf(scene.customer);
    const { body: before } = await scene.customer.http.get(`/v1/mails/${job._id}`);
    expect(before.actions).toEqual(['redact']);
    const stored = (await bytesOf()) ?? 0;
    const { status, body } = await redact(job._id);
    expect([status, body.status, body.amounts, body.actions]).toEqual([200, 'posted', before.amounts, []]);
    for (const text of ofPeople) expect(JSON.stringify(body)).not.toContain(text);
    expect(await world.store.head(job.printFile?.s3Key ?? '')).toBeNull();
    expect(await bytesOf()).toBe(stored - (job.printFile?.sizeBytes ?? 0));
    expect((await redact(job._id)).body).toEqual(body);
    expect(await bytesOf()).toBe(stored - (job.printFile?.sizeBytes ?? 0));
    expect(await ledgerOf(scene.customer)).toEqual(entries);
    expect(await AuditEntry.countDocuments({ action: 'letter.redacted', subjectId: job._id })).toBe(1);
    const row = JSON.stringify(await MailJob.findById(job._id).lean());
    for (const text of ofPeople) expect(row).not.toContain(text);
    const found: unknown[] = [];
    await reconcile({ report: (violation) => found.push(violation) });
    expect(found).toEqual([]);
  });
});
