import { describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { removeExpiredUploads } from '../../common/uploads/remove-expired-uploads.ts';
import { Upload } from '../../common/uploads/upload.model.ts';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import { startWorld } from '../support/world.ts';

const hourMs = 60 * 60 * 1000;

describe('the removal of expired uploads', () => {
  const world = startWorld();

  test('given an upload that nobody used, when 26 hours have passed, then its row and its object go, and not before', async () => {
    const customer = await world.customer();
    const s3Key = await upload(customer, await aPdf());
    const { createdAt } = await Upload.findById(s3Key).orFail().lean();
    await removeExpiredUploads(world.store, plusMs(createdAt, 26 * hourMs - 1));
    expect(await world.store.head(s3Key)).not.toBeNull();
    await removeExpiredUploads(world.store, plusMs(createdAt, 26 * hourMs));
    expect(await world.store.head(s3Key)).toBeNull();
    expect(await Upload.findById(s3Key)).toBeNull();
  });

  test('given an upload that a job uses, when 26 hours have passed, then it stays until the job no longer needs it', async () => {
    const customer = await world.customer();
    const s3Key = await upload(customer, await aPdf());
    await customer.http.post('/v1/mails', await aLetter(customer, { files: [{ s3Key }] }));
    const { createdAt, neededUntil } = await Upload.findById(s3Key).orFail().lean();
    await removeExpiredUploads(world.store, plusMs(createdAt, 26 * hourMs));
    expect(await world.store.head(s3Key)).not.toBeNull();
    await removeExpiredUploads(world.store, neededUntil as Date);
    expect(await world.store.head(s3Key)).toBeNull();
  });
});
