// Level: push
import { createAddress, deleteAddress } from '#common/addresses/change-addresses.ts';
import { plusMs } from '#common/clock.ts';
import { Draft } from '#common/drafts/draft.model.ts';
import { withOptions, withRecipients } from '#common/drafts/draft-changes.ts';
import { addDraftFiles, removeDraftFile } from '#common/drafts/draft-files.ts';
import { DraftSentError, listDrafts, saveDraft } from '#common/drafts/save-draft.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { clearTariffCache } from '#common/pricing/find-tariff.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { Upload, type UploadRecord } from '#common/uploads/upload.model.ts';
import { describe, expect, test } from '../support/jest.ts';
import { aPdf, aPostalAddress } from '../support/product/customer.ts';
import { exampleTariffs } from '../support/product/tariffs.ts';
import { startWorld } from '../support/product/world.ts';
import { aDraft, aReceivedFile, finishChecks } from '../support/web/draft-scene.ts';

const hourMs = 3_600_000;

describe('sending a draft', () => {
  const world = startWorld();

  const lettersOf = async (organizationId: string) => await MailJob.find({ organizationId }).lean();

  test('a draft becomes a letter for the shown total, and its addresses are gone with it', async () => {
    const { send, draftId, draft, organizationId, customer, totalCents } = await aDraft(world);
    const before = await customer.balanceCents();
    const mailJobId = await send();
    const [letter] = await lettersOf(organizationId);
    expect(letter).toMatchObject({ _id: mailJobId, externalId: draftId, amounts: { totalCents } });
    expect(await customer.balanceCents()).toBe(before - totalCents);
    expect(await Draft.countDocuments({ _id: draftId })).toBe(0);
    const [upload] = await Upload.find({ _id: draft.files[0]?.s3Key ?? '' }).lean<UploadRecord[]>();
    // Cleanup may remove it as soon as the letter does not need it any more.
    expect(upload?.usableUntil.getTime()).toBeLessThanOrEqual(Date.now());
    expect(upload?.neededUntil).not.toBeNull();
  });

  test('a process killed before it removed the draft leaves one letter, and the draft is not offered', async () => {
    const { send, draft, draftId, editor, organizationId } = await aDraft(world);
    expect(await listDrafts(editor, new Date())).toHaveLength(1);
    const mailJobId = await send();
    await Draft.create([draft]);
    expect(await listDrafts(editor, new Date())).toEqual([]);
    expect(await send()).toBe(mailJobId);
    expect(await Draft.countDocuments({ _id: draftId })).toBe(0);
    expect(await lettersOf(organizationId)).toHaveLength(1);
  });

  test('a tab that changes a letter after it was sent begins no second one', async () => {
    const { send, draft, draftId, editor } = await aDraft(world);
    const mailJobId = await send();
    const change = saveDraft(editor, { draftId, mode: draft.mode }, withRecipients([]), new Date());
    await expect(change).rejects.toMatchObject(new DraftSentError(mailJobId));
  });

  test('a draft that somebody changed since it was shown is not sent', async () => {
    const { send, draft, draftId, editor, organizationId } = await aDraft(world);
    const other = withRecipients([aPostalAddress({ name: 'Somebody else' })]);
    const { revision } = await saveDraft(editor, { draftId, mode: draft.mode }, other, new Date());
    await expect(send()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await lettersOf(organizationId)).toEqual([]);
    await expect(send({ revision })).rejects.toMatchObject({ code: 'PRICE_CHANGED' });
    expect(await Draft.countDocuments({ _id: draftId })).toBe(1);
  });

  test('a price that rose since it was shown is not debited', async () => {
    const { send, check, draft, organizationId, customer, totalCents } = await aDraft(world);
    const before = await customer.balanceCents();
    const dearer = exampleTariffs.map((tariff) => ({
      ...{ ...tariff, handlingCents: tariff.handlingCents + 100 },
      validFrom: '2021-01-01T00:00:00.000Z',
    }));
    await importTariffs(dearer);
    clearTariffCache();
    await expect(send()).rejects.toMatchObject({ code: 'PRICE_CHANGED' });
    expect(await lettersOf(organizationId)).toEqual([]);
    expect(await customer.balanceCents()).toBe(before);
    const shown = (await check(draft)).prices.amounts?.totalCents ?? 0;
    expect(shown).toBe(totalCents + 121);
    await send({ maxTotalCents: shown });
    expect(await customer.balanceCents()).toBe(before - shown);
  });

  test('a balance that is too low is said before, and sends nothing', async () => {
    const { send, check, draft, draftId, organizationId } = await aDraft(world, { mode: 'live', balanceCents: 100 });
    expect((await check(draft)).blockers).toEqual(['balance_short']);
    await expect(send()).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    expect(await lettersOf(organizationId)).toEqual([]);
    expect(await Draft.countDocuments({ _id: draftId })).toBe(1);
  });

  test('a file that was removed meanwhile is named, and the letter is sent once it is there again', async () => {
    const { send, check, draft, draftId, editor, organizationId } = await aDraft(world);
    const [file] = draft.files;
    await Upload.updateOne({ _id: file?.s3Key ?? '' }, { usableUntil: plusMs(new Date(), -hourMs) });
    const missing = await check(draft);
    expect([missing.blockers, [...missing.missingKeys]]).toEqual([['files_missing'], [file?.s3Key]]);
    await expect(send()).rejects.toMatchObject({ code: 'CONFLICT' });

    const target = { draftId, mode: draft.mode };
    await removeDraftFile(editor, { ...target, s3Key: file?.s3Key ?? '' }, new Date());
    const pdf = await aReceivedFile(await aPdf());
    const mended = await addDraftFiles(editor, target, { files: [pdf] }, world.services, new Date());
    await check(mended);
    await finishChecks(organizationId);
    await send({ revision: mended.revision });
    expect(await lettersOf(organizationId)).toHaveLength(1);
  });

  test('a recipient from the address book gets the letter as it was shown after the entry was deleted', async () => {
    const { draft, draftId, editor, organizationId, send } = await aDraft(world);
    const entry = { kind: 'RECIPIENT', ...aPostalAddress({ name: 'From the book' }) } as const;
    const { _id, name, line1, line2, zip, city, country } = await createAddress(draft, entry, new Date());
    const picked = withRecipients([{ name, line1, line2, zip, city, country }]);
    const { revision } = await saveDraft(editor, { draftId, mode: draft.mode }, picked, new Date());
    await deleteAddress(draft, _id);
    await send({ revision, maxTotalCents: 10_000 });
    const [letter] = await lettersOf(organizationId);
    expect(letter?.items.map((item) => item.name)).toEqual(['Zoë', 'From the book']);
  });

  test('a draft with something missing is never sent', async () => {
    const { check, draft, draftId, editor, send } = await aDraft(world);
    const abroad = withRecipients([aPostalAddress({ country: 'FR', zip: '75002', city: 'Paris' })]);
    const mixed = await saveDraft(editor, { draftId, mode: draft.mode }, abroad, new Date());
    expect((await check(mixed)).blockers).toContain('zones_mixed');
    await expect(send({ revision: mixed.revision, maxTotalCents: 10_000 })).rejects.toMatchObject({ code: 'CONFLICT' });
    const unprintable = withRecipients([aPostalAddress({ name: '東京都' })]);
    const faulty = await check(await saveDraft(editor, { draftId, mode: draft.mode }, unprintable, new Date()));
    expect(faulty.blockers).toContain('address_faulty');
    expect(faulty.addressProblems.map(({ recipientIndex }) => recipientIndex)).toEqual([2]);
    const { draft: small, check: checkSmall } = await aDraft(world, {
      recipients: [aPostalAddress({ name: 'x'.repeat(66) })],
    });
    const { addressProblems, blockers } = await checkSmall(small);
    expect([blockers, addressProblems]).toMatchObject([[], [{ recipientIndex: 0, field: 'name', isSmall: true }]]);
    const options = {
      serviceType: 'registered',
      color: true,
      acknowledgmentReceipt: true,
      dropOn: '2020-01-01',
    } as const;
    const late = await saveDraft(editor, { draftId, mode: draft.mode }, withOptions(options), new Date());
    // The envelope of a registered letter is another one, so its files are checked again.
    const unchecked = await check(late);
    expect([unchecked.pages, unchecked.pricedPages]).toEqual([null, 1]);
    expect(unchecked.blockers).toEqual(['not_checked', 'zones_mixed', 'address_faulty', 'date_passed']);
  });
});
