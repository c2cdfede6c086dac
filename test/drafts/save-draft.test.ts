// Level: push
import { plusMs } from '#common/clock.ts';
import { changeDraftMode } from '#common/drafts/change-mode.ts';
import { Draft } from '#common/drafts/draft.model.ts';
import {
  withAllConfirmed,
  withConfirmed,
  withCorrection,
  withMovedFile,
  withoutRecipient,
  withPasted,
  withRecipients,
} from '#common/drafts/draft-changes.ts';
import { addDraftFiles } from '#common/drafts/draft-files.ts';
import { findDraft, listDrafts, removeDraft, saveDraft } from '#common/drafts/save-draft.ts';
import { newIdAt } from '#common/ids.ts';
import { removeExpiredUploads } from '#common/uploads/remove-expired-uploads.ts';
import { StorageUse } from '#common/uploads/storage-use.model.ts';
import { Upload, type UploadRecord } from '#common/uploads/upload.model.ts';
import { describe, expect, test } from '../support/jest.ts';
import { aPdf, aPostalAddress } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { onCommand } from '../support/races/on-command.ts';
import { aDraft, aReceivedFile } from '../support/web/draft-scene.ts';

const dayMs = 24 * 3_600_000;

describe('drafts of letters', () => {
  const world = startWorld();

  const cleanUp = async (at: Date) => {
    const none = new Set<string>();
    await removeExpiredUploads(
      { store: world.store, log: world.log, findNeeded: async () => none, onFailure() {} },
      at,
    );
  };

  test('two people who change one draft at the same time lose nothing', async () => {
    const { draftId, organizationId, draft } = await aDraft(world, { recipients: [] });
    const names = Array.from({ length: 12 }, (_, index) => `Recipient ${index}`);
    await Promise.all(
      names.map(async (name, index) => {
        const editor = { organizationId, userId: `usr_${index % 2}` };
        await saveDraft(editor, { draftId, mode: draft.mode }, withRecipients([aPostalAddress({ name })]), new Date());
      }),
    );
    const after = await findDraft({ organizationId, draftId }, new Date());
    expect(after?.recipients.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(after?.revision).toBe(draft.revision + names.length);
  });

  test('two tabs that begin the same draft begin one, and another organization cannot touch it', async () => {
    const { organizationId } = await world.customer();
    const draftId = newIdAt('drf', new Date());
    const editor = { organizationId, userId: 'usr_1' };
    const target = { draftId, mode: 'test' } as const;
    const add = (name: string) => saveDraft(editor, target, withRecipients([aPostalAddress({ name })]), new Date());
    await Promise.all([add('A'), add('B'), add('C')]);
    expect((await findDraft({ organizationId, draftId }, new Date()))?.recipients).toHaveLength(3);

    const stranger = { organizationId: (await world.customer()).organizationId, userId: 'usr_2' };
    await expect(saveDraft(stranger, target, withRecipients([]), new Date())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await findDraft({ ...stranger, draftId }, new Date())).toBeNull();
    await removeDraft({ ...stranger, draftId }, new Date());
    expect(await findDraft({ organizationId, draftId }, new Date())).not.toBeNull();
  });

  test('a draft and its files live seven days after the last change, and then cleanup removes them', async () => {
    const at = new Date();
    const { draft, draftId, editor, organizationId } = await aDraft(world, { at });
    const keys = draft.files.map(({ s3Key }) => s3Key);
    const later = plusMs(at, 6 * dayMs);
    await cleanUp(later);
    const change = withRecipients([aPostalAddress({ name: 'Later' })]);
    const { expiresAt } = await saveDraft(editor, { draftId, mode: draft.mode }, change, later);
    expect(expiresAt).toEqual(plusMs(later, 7 * dayMs));
    await cleanUp(plusMs(later, 6 * dayMs));
    expect(await Upload.countDocuments({ _id: { $in: keys } })).toBe(1);
    expect(await listDrafts(editor, plusMs(later, 6 * dayMs))).toHaveLength(1);
    expect(await listDrafts(editor, expiresAt)).toEqual([]);
    expect(await findDraft({ organizationId, draftId }, expiresAt)).toBeNull();
    await cleanUp(plusMs(expiresAt, dayMs));
    expect(await Upload.countDocuments({ _id: { $in: keys } })).toBe(0);
    expect(await world.store.head(keys[0] ?? '')).toBeNull();
  });

  test('a process that dies while it saves a draft leaves no draft that outlives its files', async () => {
    const { editor, draftId, organizationId } = await aDraft(world);
    const later = plusMs(new Date(), 5 * dayMs);
    const saving = onCommand(
      async ({ name }, run) => (name === 'update uploads' ? Promise.reject(new Error('killed')) : run()),
      () => saveDraft(editor, { draftId, mode: 'test' }, withRecipients([]), later),
    );
    await expect(saving).rejects.toThrow('killed');
    const draft = await findDraft({ organizationId, draftId }, new Date());
    const upload = await Upload.findOne({ organizationId }).orFail().lean<UploadRecord>();
    expect(draft?.expiresAt.getTime()).toBeLessThanOrEqual(upload.usableUntil.getTime());
  });

  test('the database removes a draft that has expired, with its addresses', async () => {
    const indexes = await Draft.collection.indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
  });

  test('a discarded draft leaves no file behind', async () => {
    const at = new Date();
    const { draft, draftId, organizationId } = await aDraft(world, { at });
    await removeDraft({ organizationId, draftId }, at);
    await cleanUp(plusMs(at, dayMs));
    expect(await Upload.countDocuments({ _id: draft.files[0]?.s3Key ?? '' })).toBe(0);
  });

  test('changing the mode moves the files and what they take of the storage', async () => {
    const { draft, draftId, editor, organizationId, check } = await aDraft(world);
    const bytesOf = async (mode: string) => (await StorageUse.findById(`${organizationId} ${mode}`).lean())?.bytes ?? 0;
    const bytes = draft.files[0]?.sizeBytes ?? 0;
    expect([await bytesOf('test'), await bytesOf('live')]).toEqual([bytes, 0]);
    const moved = await changeDraftMode(editor, { draftId, mode: 'live' }, world.services, new Date());
    expect([moved.mode, moved.revision]).toEqual(['live', draft.revision + 1]);
    expect([await bytesOf('test'), await bytesOf('live')]).toEqual([0, bytes]);
    // Its files are there, and are checked for this mode.
    expect((await check(moved)).filesState).toBe('running');
    expect((await check(draft)).filesState).toBe('missing');
  });

  test('each file that cannot be taken is named, and the others are added', async () => {
    const { organizationId } = await world.customer();
    const editor = { organizationId, userId: 'usr_1' };
    const target = { draftId: newIdAt('drf', new Date()), mode: 'test' } as const;
    const pdf = await aPdf();
    const zip = Buffer.concat([pdf, Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);
    const received = [
      await aReceivedFile(pdf, 'one.txt'),
      await aReceivedFile(Buffer.from('hello'), 'two.pdf'),
      await aReceivedFile(zip, 'three.pdf'),
      { filename: 'four.pdf', path: null, fault: 'too_large' as const },
      await aReceivedFile(pdf, ''),
    ];
    const draft = await addDraftFiles(editor, target, { files: received }, world.services, new Date());
    expect(draft.files.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['one.txt', 'application/pdf'],
      ['document', 'application/pdf'],
    ]);
    expect(draft.refusedFiles).toEqual([
      { filename: 'two.pdf', fault: 'not_accepted' },
      { filename: 'three.pdf', fault: 'two_types_at_once' },
      { filename: 'four.pdf', fault: 'too_large' },
    ]);
    const many = await Promise.all(Array.from({ length: 20 }, (_, index) => aReceivedFile(pdf, `${index}.pdf`)));
    const full = await addDraftFiles(editor, target, { files: many, isFurther: true }, world.services, new Date());
    expect(full.files).toHaveLength(20);
    // Those of the submission before it stay listed.
    expect(full.refusedFiles.slice(3).map(({ filename, fault }) => [filename, fault])).toEqual([
      ['18.pdf', 'too_many'],
      ['19.pdf', 'too_many'],
    ]);
    const tight = { ...world.services, maxStoredBytes: { test: 1, live: 1 } };
    const small = newIdAt('drf', new Date());
    const one = { files: received.slice(0, 1) };
    const refused = await addDraftFiles(editor, { draftId: small, mode: 'test' }, one, tight, new Date());
    expect(refused.refusedFiles).toEqual([{ filename: 'one.txt', fault: 'storage_full' }]);
  });

  test('files move one place, and recipients are corrected, confirmed and never doubled', async () => {
    const { draft, draftId, editor } = await aDraft(world);
    const save = (change: Parameters<typeof saveDraft>[2]) =>
      saveDraft(editor, { draftId, mode: draft.mode }, change, new Date());
    await addDraftFiles(
      editor,
      { draftId, mode: draft.mode },
      { files: [await aReceivedFile(await aPdf(), 'b')] },
      world.services,
      new Date(),
    );
    const second = (await save(() => ({}))).files[1]?.s3Key ?? '';
    expect((await save(withMovedFile(second, 'up'))).files.map(({ filename }) => filename)).toEqual([
      'b',
      'letter.pdf',
    ]);
    expect((await save(withMovedFile(second, 'up'))).files[0]?.filename).toBe('b');

    const zoe = draft.recipients[0];
    await save(withRecipients([aPostalAddress({ name: 'Zoë' })]));
    const corrected = await save(withCorrection(zoe?.recipientId ?? '', aPostalAddress({ name: 'Zoé' })));
    expect(corrected.recipients.map(({ name }) => name)).toEqual(['Zoé']);
    const { pasted } = await save(withPasted('A\nRue 1\n1000 X\n\nB\nRue 2\n1000 X\n\nC'));
    const [first] = pasted;
    await save(withConfirmed(first?.pastedId ?? '', aPostalAddress({ name: 'A!' })));
    const all = await save(withAllConfirmed(({ name, zip }) => (zip === '' ? null : aPostalAddress({ name }))));
    expect(all.recipients.map(({ name }) => name)).toEqual(['Zoé', 'A!', 'B']);
    expect(all.pasted.map(({ name }) => name)).toEqual(['C']);
    expect((await save(withoutRecipient(zoe?.recipientId ?? ''))).recipients).toHaveLength(2);
    const many = Array.from({ length: 99 }, (_, index) => aPostalAddress({ name: `R${index}` }));
    await expect(save(withRecipients(many))).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  });
});
