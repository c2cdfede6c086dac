import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { letterFacts } from '#common/documents/preflight/letter-facts.ts';
import { checkDraft } from '#common/drafts/check-draft.ts';
import type { DraftRecord } from '#common/drafts/draft.model.ts';
import { withOptions, withPasted, withRecipients } from '#common/drafts/draft-changes.ts';
import { addDraftFiles, type ReceivedFile } from '#common/drafts/draft-files.ts';
import { chooseDraftTemplate, fillDraftTemplate } from '#common/drafts/draft-template.ts';
import { type DraftChange, type DraftEditor, saveDraft } from '#common/drafts/save-draft.ts';
import { sendDraft, senderKeyOf } from '#common/drafts/send-draft.ts';
import { newIdAt } from '#common/ids.ts';
import { Preflight, type PreflightResult } from '#common/mail-jobs/preflight/preflight.model.ts';
import type { Mode } from '#common/modes.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { makeTempFolder } from '#common/platform/process/temp-folders.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { lockedPdf } from '../documents/build-pdf.ts';
import { aPdf, aPostalAddress } from '../product/customer.ts';
import type { World } from '../product/world.ts';

/** Ends the checks of an organization as a worker does that found letters of this length. */
export async function finishChecks(organizationId: string, changes: Partial<PreflightResult> = {}): Promise<void> {
  const result = { facts: letterFacts(1), placement: 'page', findings: [], overlayKey: null, ...changes };
  const filter = { organizationId, result: { $exists: false } };
  await Preflight.updateMany(filter, { $set: { result }, $unset: { 'due.check': 1 } });
}

/** Writes a file where a form with files would have left it. */
export async function aReceivedFile(bytes: Uint8Array, filename = 'letter.pdf'): Promise<ReceivedFile> {
  const path = join(await makeTempFolder('test'), randomUUID());
  await writeFile(path, bytes);
  return { filename, path, sizeBytes: bytes.length, fault: null };
}

type DraftOptions = { mode?: Mode; recipients?: readonly PostalAddress[]; at?: Date; balanceCents?: number };

/** A draft of a new organization that is ready to be sent. */
export async function aDraft(world: World, options: DraftOptions = {}) {
  const { mode = 'test', recipients = [aPostalAddress({ name: 'Zoë' })], at = new Date(), balanceCents } = options;
  const customer = await world.customer({ mode, ...(balanceCents !== undefined && { balanceCents }) });
  const { organizationId } = customer;
  const editor: DraftEditor = { organizationId, userId: `usr_${randomUUID()}` };
  const draftId = newIdAt('drf', at);
  const files = [await aReceivedFile(await aPdf())];
  await addDraftFiles(editor, { draftId, mode }, { files }, world.services, at);
  const draft = await saveDraft(editor, { draftId, mode }, withRecipients(recipients), at);
  const check = async (of: DraftRecord, now = at) => await checkDraft(of, world.services, now);
  await check(draft);
  await finishChecks(organizationId);
  const { prices, sender } = await check(draft);
  const totalCents = prices.amounts?.totalCents ?? 0;
  const senderKey = senderKeyOf(sender);
  const credential = { id: editor.userId, scopes: [] };

  return {
    ...{ customer, organizationId, editor, draftId, draft, totalCents, senderKey, check },
    /** Sends it as its page does that shows this revision and this total. */
    async send({ revision = draft.revision, maxTotalCents = totalCents, now = at } = {}): Promise<string> {
      const toSend = { organizationId, draftId, revision, maxTotalCents, senderKey, credential };
      return await sendDraft(toSend, world.services, now);
    },
  };
}

type DraftOwner = DraftEditor & { mode: Mode };

/** Drafts of a user in each state that looks different, as queries of the page. Needs workers. */
export async function aDraftOf(world: World, { mode, ...editor }: DraftOwner): Promise<Record<string, string>> {
  const at = new Date();
  const pages = await aReceivedFile(await aPdf(3), 'A rather long name of an invoice of November 2026.pdf');
  const refused: ReceivedFile = { filename: 'holiday.gif', path: null, fault: 'not_accepted' };
  const create = async (files: readonly ReceivedFile[], ...changes: DraftChange[]) => {
    const draftId = newIdAt('drf', at);
    let draft = await addDraftFiles(editor, { draftId, mode }, { files }, world.services, at);
    for (const change of changes) draft = await saveDraft(editor, { draftId, mode }, change, at);
    return draft;
  };
  const names = ['Zoë van den Berg-Vandenbroucke', 'Jan Janssens', 'Ada', 'Bob'];
  const home = withRecipients(names.map((name) => aPostalAddress({ name })));
  const others = ['Ανδρέας', '東京都'].map((name) =>
    aPostalAddress({ name, zip: '75002', city: 'Paris', country: 'FR' }),
  );
  const dear = withOptions({ serviceType: 'registered', color: true, acknowledgmentReceipt: true, dropOn: null });
  const locked = await aReceivedFile(await lockedPdf({ userPassword: 'x', ownerPassword: 'y' }), 'locked.pdf');
  const variables = 'Dear ((first name)),\n\n((Amount to pay)) is due. ((late??It is late.))';
  const source = { name: 'Reminder of a rather long name', language: 'en', text: variables } as const;
  const { templateId } = await createTemplate({ ...editor, mode }, source, at);
  const fromTemplate = async (...fills: Record<string, string>[]) => {
    const target = { draftId: newIdAt('drf', at), mode };
    let draft = await chooseDraftTemplate(editor, { ...target, templateId }, world.services, at);
    for (const values of fills) draft = await fillDraftTemplate(editor, { ...target, values }, world.services, at);
    return draft;
  };
  const query = ({ _id }: DraftRecord) => `?draft=${_id}`;
  const ready = await create([pages], home);
  return {
    new: '',
    refused: query(await create([pages, refused])),
    ready: query(ready),
    edited: `${query(ready)}&edit=${ready.recipients[1]?.recipientId}`,
    mixed: query(
      await create([pages], home, withRecipients(others), withPasted('Max Muster\nHauptstr. 5\n10115 Berlin')),
    ),
    short: query(await create([pages], home, dear)),
    faulty: query(await create([pages, locked], home)),
    template: query(await fromTemplate()),
    templateFaulty: query(await fromTemplate({ 'first name': '漢字' })),
    templateMade: query(await fromTemplate({ 'first name': 'Zoë', 'Amount to pay': '12 EUR', late: 'yes' })),
  };
}
