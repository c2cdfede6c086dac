// Level: push
import { plusMs } from '#common/clock.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { findFilesToRender } from '#common/mail-jobs/render/find-files-to-render.ts';
import { recountStorage } from '#common/operations/recount-storage.ts';
import { removeExpiredUploads } from '#common/uploads/remove-expired-uploads.ts';
import { StorageUse, type StorageUseRecord, storageUseId } from '#common/uploads/storage-use.model.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { aPdf, type Customer, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const sizeBytes = 1_000;

describe('the count of stored bytes', () => {
  const lines: string[] = [];
  const world = startWorld({ onLogLine: (line) => lines.push(line) });
  const read = (owner: Customer) => StorageUse.findById(storageUseId(owner)).lean<StorageUseRecord>();
  const storedBytes = async (owner: Customer) => (await read(owner))?.bytes;
  const ask = ({ http }: Customer) =>
    http.post('/v1/uploads', { filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes });
  const recount = (at: Date) => recountStorage(world, at);
  const setBytes = (owner: Customer, bytes: number) => StorageUse.updateOne({ _id: storageUseId(owner) }, { bytes });
  const corrections = ({ organizationId }: Customer) =>
    lines.filter((line) => line.includes('storage count corrected') && line.includes(organizationId));

  test('two concurrent removals of an upload subtract its bytes once', async () => {
    const customer = await world.customer();
    for (let count = 0; count < 5; count += 1) await ask(customer);
    expect(await storedBytes(customer)).toBe(5 * sizeBytes);
    const removal = { store: world.store, log: world.log, findNeeded: findFilesToRender, onFailure: () => undefined };
    const at = plusMs(new Date(), 27 * hourMs);
    await Promise.all([removeExpiredUploads(removal, at), removeExpiredUploads(removal, at)]);
    expect(await Upload.countDocuments({ organizationId: customer.organizationId })).toBe(0);
    expect(await storedBytes(customer)).toBe(0);
    expect((await ask(customer)).status).toBe(200);
    expect(await storedBytes(customer)).toBe(sizeBytes);
  });

  test.each([
    ['too low', -300],
    ['too high', 700],
  ])('a count that a killed process left %s is corrected after two checks, and logged', async (_, error) => {
    const customer = await world.customer();
    await ask(customer);
    await setBytes(customer, sizeBytes + error);
    const at = new Date();
    await recount(at);
    expect(await storedBytes(customer)).toBe(sizeBytes + error);
    await Promise.all([recount(plusMs(at, minuteMs)), recount(plusMs(at, minuteMs))]);
    expect(await read(customer)).toMatchObject({ bytes: sizeBytes, drift: 0, recountAt: plusMs(at, minuteMs + dayMs) });
    expect(corrections(customer)).toHaveLength(1);
  });

  test('a request between its two writes does not count as drift', async () => {
    const customer = await world.customer();
    await ask(customer);
    const at = new Date();
    // The count of an upload whose row is not written yet.
    await setBytes(customer, 2 * sizeBytes);
    await recount(at);
    await setBytes(customer, sizeBytes);
    await recount(plusMs(at, minuteMs));
    expect(await read(customer)).toMatchObject({ bytes: sizeBytes, drift: 0 });
    expect(corrections(customer)).toEqual([]);
  });

  test('an owner with writes during each check is recounted twice a day, not every minute', async () => {
    const customer = await world.customer();
    await ask(customer);
    const at = new Date();
    for (const [minute, underWay] of [500, -700].entries()) {
      await setBytes(customer, sizeBytes + underWay);
      await recount(plusMs(at, minute * minuteMs));
    }
    expect(await read(customer)).toMatchObject({ drift: 0, recountAt: plusMs(at, minuteMs + dayMs) });
    expect(corrections(customer)).toEqual([]);
    // A day later, the earlier check no longer counts.
    await recount(plusMs(at, minuteMs + dayMs));
    expect(await storedBytes(customer)).toBe(sizeBytes - 700);
  });

  test('a failed recount is logged, retried after an hour, and does not block other owners', async () => {
    const [broken, customer] = [await world.customer(), await world.customer()];
    for (const one of [broken, customer]) await ask(one);
    const isBroken = { _id: storageUseId(broken) };
    await StorageUse.collection.updateOne(isBroken as object, { $set: { bytes: 'many', recountAt: new Date(0) } });
    await setBytes(customer, sizeBytes + 300);
    const at = plusMs(new Date(), dayMs);
    for (const time of [at, plusMs(at, minuteMs)]) await recount(time);
    expect(await storedBytes(customer)).toBe(sizeBytes);
    expect(await StorageUse.collection.findOne(isBroken as object)).toMatchObject({ recountAt: plusMs(at, hourMs) });
    const failures = lines.filter((line) => line.includes('storage recount failed'));
    expect(failures).toEqual([expect.stringContaining(broken.organizationId)]);
    await StorageUse.deleteOne(isBroken);
  });

  test('print files count while they are stored, separately for each mode', async () => {
    const customer = await world.customer();
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const live = await world.customer({ mode: 'live', organizationId: customer.organizationId });
    await ask(live);
    const uploaded = (await storedBytes(customer)) ?? Number.NaN;
    for (const removedAt of [undefined, new Date()]) {
      const { body } = await customer.send({ files });
      const printFile = { s3Key: 'p/x', sha256: 'x', sizeBytes: 50, pageCount: 1, renderedAt: new Date(), removedAt };
      await MailJob.updateOne({ _id: body.mailJobId }, { $set: { printFile } });
    }
    const at = plusMs(new Date(), 2 * dayMs);
    for (const time of [at, plusMs(at, minuteMs)]) await recount(time);
    expect([await storedBytes(customer), await storedBytes(live)]).toEqual([uploaded + 50, sizeBytes]);
  });
});
