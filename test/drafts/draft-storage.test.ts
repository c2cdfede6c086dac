// Level: push
import { changeDraftMode } from '#common/drafts/change-mode.ts';
import { addDraftFiles } from '#common/drafts/draft-files.ts';
import { newIdAt } from '#common/ids.ts';
import { mailJobLimits } from '#common/mail-jobs/model/mail-request.schema.ts';
import { StoreUnavailableError } from '#common/platform/s3/object-store-errors.ts';
import { StorageUse } from '#common/uploads/storage-use.model.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { describe, expect, test } from '../support/jest.ts';
import { aPdf } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { aReceivedFile } from '../support/web/draft-scene.ts';

describe('uploads of files that no draft names', () => {
  const world = startWorld();

  const aNewDraft = async () => {
    const { organizationId } = await world.customer();
    const editor = { organizationId, userId: 'usr_1' };
    return { organizationId, editor, target: { draftId: newIdAt('drf', new Date()), mode: 'test' } as const };
  };
  const someFiles = async (count: number) => {
    const pdf = await aPdf();
    return await Promise.all(Array.from({ length: count }, () => aReceivedFile(pdf)));
  };
  /** Uploads that cleanup may not remove yet. */
  const keptOf = async (organizationId: string) =>
    (await Upload.find({ organizationId, usableUntil: { $gt: new Date() } }).lean()).map(({ _id }) => _id).sort();

  test('files that two submissions add together beyond the limit do not keep their storage', async () => {
    const { organizationId, editor, target } = await aNewDraft();
    const half = mailJobLimits.files / 2 + 1;
    const lists = [await someFiles(half), await someFiles(half)];
    const drafts = await Promise.all(
      lists.map((files) => addDraftFiles(editor, target, { files }, world.services, new Date())),
    );
    const full = drafts.find(({ files }) => files.length === mailJobLimits.files);
    expect(full?.refusedFiles.map(({ fault }) => fault)).toEqual(['too_many', 'too_many']);
    expect(await keptOf(organizationId)).toEqual(full?.files.map(({ s3Key }) => s3Key).sort());
  });

  test('files of a submission that the store ended midway do not keep their storage', async () => {
    const { organizationId, editor, target } = await aNewDraft();
    let puts = 0;
    const store: typeof world.store = {
      ...world.store,
      async putFile(object) {
        puts += 1;
        if (puts === 3) throw new StoreUnavailableError('put', new Error('out of reach'));
        return await world.store.putFile(object);
      },
    };
    const adding = addDraftFiles(
      editor,
      target,
      { files: await someFiles(4) },
      { ...world.services, store },
      new Date(),
    );
    await expect(adding).rejects.toThrow(StoreUnavailableError);
    expect(await Upload.countDocuments({ organizationId })).toBe(3);
    expect(await keptOf(organizationId)).toEqual([]);
  });

  test('of two changes of the mode at once, one that is refused keeps no storage of the other mode', async () => {
    const deps = { maxStoredBytes: { test: 1e9, live: 1e9 }, log: world.log };
    let refused = 0;
    while (refused === 0) {
      const { organizationId, editor, target } = await aNewDraft();
      const { files } = await addDraftFiles(editor, target, { files: await someFiles(1) }, world.services, new Date());
      const change = () => changeDraftMode(editor, { ...target, mode: 'live' }, deps, new Date());
      const changes = await Promise.allSettled([change(), change()]);
      const errors = changes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      for (const error of errors) expect(error).toMatchObject({ code: 'CONFLICT' });
      refused += errors.length;
      const used = await StorageUse.find({ organizationId }).sort({ mode: 1 }).lean();
      expect(used.map(({ mode, bytes }) => [mode, bytes])).toEqual([
        ['live', files[0]?.sizeBytes],
        ['test', 0],
      ]);
    }
  });
});
