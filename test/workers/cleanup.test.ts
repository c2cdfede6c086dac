// Level: push
import { Counter } from 'prom-client';
import { plusMs } from '#common/clock.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { findFilesToRender } from '#common/mail-jobs/render/find-files-to-render.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { removeExpiredUploads } from '#common/uploads/remove-expired-uploads.ts';
import { Upload, type UploadRecord } from '#common/uploads/upload.model.ts';
import { describe, expect, test } from '../support/jest.ts';
import { aSender } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';

const hourMs = 60 * 60 * 1000;

describe('the removal of expired uploads', () => {
  const world = startWorld();
  const failures = new Counter({ name: 'failures', help: 'Objects that could not be deleted.', registers: [] });
  const remove = (at: Date, store: ObjectStore = world.store) =>
    removeExpiredUploads({ store, log: world.log, findNeeded: findFilesToRender, onFailure: () => failures.inc() }, at);

  test('an unused upload is removed with its object after 26 hours, not before', async () => {
    const { s3Key } = await aSender(world);
    const { createdAt } = await Upload.findById(s3Key).orFail().lean();
    await remove(plusMs(createdAt, 26 * hourMs - 1));
    expect(await world.store.head(s3Key)).not.toBeNull();
    await remove(plusMs(createdAt, 26 * hourMs));
    expect(await world.store.head(s3Key)).toBeNull();
    expect(await Upload.findById(s3Key)).toBeNull();
  });

  test('an upload used by a letter stays until the letter no longer needs it', async () => {
    const { send, s3Key } = await aSender(world);
    await send();
    await MailJob.updateMany({}, { $unset: { 'due.render': '' } });
    const { createdAt, neededUntil } = await Upload.findById(s3Key).orFail().lean();
    await remove(plusMs(createdAt, 26 * hourMs));
    expect(await world.store.head(s3Key)).not.toBeNull();
    await remove(neededUntil as Date);
    expect(await world.store.head(s3Key)).toBeNull();
  });

  test('one object that cannot be deleted does not block the removal of others', async () => {
    const [stuck, other] = [(await aSender(world)).s3Key, (await aSender(world)).s3Key];
    const keys = [stuck, other];
    const rows = await Upload.find({ _id: { $in: keys } }).lean();
    const dueAt = plusMs(new Date(Math.max(...rows.map(({ createdAt }) => createdAt.getTime()))), 26 * hourMs);
    let asked = 0;
    const store: ObjectStore = {
      ...world.store,
      async delete(key) {
        if (key !== stuck) return await world.store.delete(key);
        asked += 1;
        throw new Error('Object locked');
      },
    };
    await remove(dueAt, store);
    expect(await Upload.findById(other)).toBeNull();
    expect(await world.store.head(other)).toBeNull();
    expect(await Upload.findById(stuck)).not.toBeNull();
    // Not retried at once, and later retried until it is deleted.
    await remove(plusMs(dueAt, 60_000), store);
    expect([asked, (await failures.get()).values[0]?.value]).toEqual([1, 1]);
    await remove(plusMs(dueAt, hourMs));
    expect([await Upload.findById(stuck), await world.store.head(stuck)]).toEqual([null, null]);
  });

  const dueWork = ['due.render', 'due.slowRender'];
  test.each(dueWork)('the files of a letter stay while %s waits, however long', async (path) => {
    const { send, s3Key } = await aSender(world);
    const { body } = await send();
    const { createdAt } = await Upload.findById(s3Key).orFail().lean();
    if (path !== 'due.render') await MailJob.updateOne({ _id: body.mailJobId }, { $rename: { 'due.render': path } });
    for (const days of [8, 15, 30]) {
      await remove(plusMs(createdAt, days * 24 * hourMs));
      expect(await world.store.head(s3Key)).not.toBeNull();
    }
    await MailJob.updateOne({ _id: body.mailJobId }, { $unset: { [path]: '' } });
    await remove(plusMs(createdAt, 60 * 24 * hourMs));
    expect(await world.store.head(s3Key)).toBeNull();
  });

  test('an unavailable store is asked for ten objects, not for all expired ones', async () => {
    const { s3Key } = await aSender(world);
    const { createdAt } = await Upload.findById(s3Key).orFail().lean<UploadRecord>();
    const { _id, ...row } = await Upload.findOne({}).orFail().lean<UploadRecord>();
    await Upload.insertMany(Array.from({ length: 30 }, (_, index) => ({ ...row, _id: `${_id}-${index}` })));
    let asked = 0;
    const refuse = async () => {
      asked += 1;
      throw new Error('Connection refused');
    };
    await expect(remove(plusMs(createdAt, 27 * hourMs), { ...world.store, delete: refuse })).rejects.toThrow('refused');
    expect(asked).toBe(10);
  });
});
