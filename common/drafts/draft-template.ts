import { faultOfMessage } from '../documents/typesetting/refusals.ts';
import { AppError, conflict, hasCode } from '../errors.ts';
import type { Mode, Owner } from '../modes.ts';
import { findVariableFaults, type VariableFault } from '../templates/find-variable-faults.ts';
import { readTemplateForUse, readVersion } from '../templates/read-templates.ts';
import { recipientVariableOf, withRecipient } from '../templates/recipient-values.ts';
import { type ResolveDeps, type StoredLetter, setLetter } from '../templates/resolve-template.ts';
import type { TemplateVersion } from '../templates/template.model.ts';
import { describeVariables } from '../templates/template.view.ts';
import type { MergeVariables } from '../templates/text/fill-template.ts';
import { variableKey } from '../templates/text/variable-names.ts';
import { releaseUploads } from '../uploads/keep-uploads.ts';
import { Upload } from '../uploads/upload.model.ts';
import type { DraftFile, DraftLetterFault, DraftRecord, DraftTemplate } from './draft.model.ts';
import { isMadeForOthers, recipientsKey } from './draft-changes.ts';
import { type DraftChange, type DraftEditor, findDraft, saveDraft } from './save-draft.ts';

/**
 * A variable to fill in. `isPrinted` is false for one that only shows or hides text. `isRecipient`: without a value, it has
 * that of the only recipient.
 */
export type DraftVariable = { name: string; isPrinted: boolean; isRecipient: boolean; value: string };

type Target = { draftId: string; mode: Mode };
/** Texts by name of the variable, in any spelling that `variableKey` takes for the same. */
export type GivenValues = Readonly<Record<string, string>>;

const changedMeanwhile = () => conflict('The letter was changed meanwhile.');

/**
 * Makes a draft without files a letter from the latest version of a template, and makes it at once if the template has no
 * variables but those of the recipient. Throws NOT_FOUND for an unknown template of the draft's mode, CONFLICT if the draft
 * has files or a template, and as `saveDraft`.
 */
export async function chooseDraftTemplate(
  editor: DraftEditor,
  { templateId, ...target }: Target & { templateId: string },
  deps: ResolveDeps,
  at: Date,
): Promise<DraftRecord> {
  const { organizationId } = editor;
  const before = await findDraft({ organizationId, draftId: target.draftId }, at);
  const mode = before?.mode ?? target.mode;
  const version = await readTemplateForUse({ organizationId, mode }, templateId);
  const { version: number, name } = version;
  const template: DraftTemplate = { templateId, version: number, mode, name, values: null, fault: null };
  const choose = (draft: DraftRecord) => {
    if (draft.mode !== mode || draft.files.length > 0 || draft.template) throw changedMeanwhile();
    return { template, pages: null };
  };
  const draft = await saveDraft(editor, { ...target, mode }, choose, at);
  if (describeVariables(version.text).some((variable) => !isOfAddress(variable))) return draft;
  return await fillDraftTemplate(editor, { ...target, values: {} }, deps, at);
}

/**
 * Stores the values of a draft's template and, if none is faulty, makes the letter of them, which takes the place of the
 * one before. Faulty values are stored too: `readDraftTemplate` names their faults. Waits up to 20 s. Throws CONFLICT if
 * the draft is not made of a template or was changed meanwhile, and as `saveDraft`.
 */
export async function fillDraftTemplate(
  editor: DraftEditor,
  { values: given, ...target }: Target & { values: GivenValues },
  deps: ResolveDeps,
  at: Date,
): Promise<DraftRecord> {
  const { organizationId } = editor;
  const before = await findDraft({ organizationId, draftId: target.draftId }, at);
  if (!before?.template) throw changedMeanwhile();
  const { mode, template } = before;
  const owner = { organizationId, mode };
  const version = await readChosen(before, template);
  const values = completeValues(version, given);
  const variables = withRecipientOf(before, version, values);
  const madeFor = variables === values ? undefined : recipientsKey(before);
  const isWaiting = madeFor !== undefined && before.recipients.length === 0;
  const { letter, fault } = isWaiting
    ? { letter: null, fault: null }
    : await makeLetter(owner, version, variables, deps, at);
  const file = letter && (await nameLetter(owner, letter, template.name));
  const isSame = (draft: DraftRecord) =>
    draft.mode === mode &&
    draft.template?.templateId === template.templateId &&
    draft.template.version === template.version;
  let replaced: string[] = [];
  try {
    const change = (draft: DraftRecord) => {
      if (!isSame(draft)) throw changedMeanwhile();
      replaced = draft.files.map(({ s3Key }) => s3Key);
      const { madeFor: _, ...chosen } = template;
      const filled = { ...chosen, values: JSON.stringify(values), ...(madeFor && { madeFor }), fault };
      return { template: filled, files: file ? [file] : [], pages: null };
    };
    const draft = await saveDraft(editor, { ...target, mode }, change, at);
    await releaseUploads(owner, replaced, at);
    return draft;
  } catch (error) {
    if (file) await releaseUploads(owner, [file.s3Key], at);
    throw error;
  }
}

/**
 * Changes the recipients of a draft as `saveDraft`, and makes the letter again that has values of others. Until then, the
 * draft cannot be sent.
 */
export async function saveRecipients(
  editor: DraftEditor,
  target: Target,
  change: DraftChange,
  deps: ResolveDeps,
  at: Date,
): Promise<DraftRecord> {
  const draft = await saveDraft(editor, target, change, at);
  const { values = null } = draft.template ?? {};
  if (values === null || (draft.files.length > 0 && !isMadeForOthers(draft))) return draft;
  return await fillDraftTemplate(editor, { ...target, values: JSON.parse(values) }, deps, at);
}

/** Removes the template of a draft with the letter that was made of it, so that files can be added. As `saveDraft`. */
export async function removeDraftTemplate(editor: DraftEditor, target: Target, at: Date): Promise<DraftRecord> {
  let removed: string[] = [];
  const remove = (draft: DraftRecord) => {
    removed = draft.template ? draft.files.map(({ s3Key }) => s3Key) : [];
    return draft.template ? { template: null, files: [], pages: null } : {};
  };
  const draft = await saveDraft(editor, target, remove, at);
  await releaseUploads(draft, removed, at);
  return draft;
}

/** Returns the variables of a draft's template with their values and, once they were filled in, their faults. */
export async function readDraftTemplate(
  draft: Pick<DraftRecord, 'organizationId' | 'template' | 'recipients'>,
): Promise<{ variables: DraftVariable[]; faults: VariableFault[] } | null> {
  if (!draft.template) return null;
  const version = await readChosen(draft, draft.template);
  const values: Record<string, string> = draft.template.values === null ? {} : JSON.parse(draft.template.values);
  const variables = describeVariables(version.text).map((variable) => ({
    ...variable,
    isRecipient: isOfAddress(variable),
    value: String(values[variable.name] ?? ''),
  }));
  return {
    variables,
    faults: draft.template.values === null ? [] : findVariableFaults(version, withRecipientOf(draft, version, values)),
  };
}

/** Whether the address has a value for a variable: no company of its own, and nothing for a box that shows text. */
function isOfAddress({ name, isPrinted }: { name: string; isPrinted: boolean }): boolean {
  const variable = recipientVariableOf(name);
  return isPrinted && variable !== undefined && variable !== 'company';
}

/** Stands for the first recipient, to judge the other values before there is one. */
const anyRecipient = { name: '…', line1: '…', zip: '…', city: '…', country: 'BE' };

/** Returns the values with those of the only recipient for blank ones; the same object when there are none to add. */
function withRecipientOf(
  { recipients }: Pick<DraftRecord, 'recipients'>,
  version: TemplateVersion,
  values: Record<string, string>,
): MergeVariables {
  const ofAddress = describeVariables(version.text).filter(isOfAddress);
  const blank = ofAddress.map(({ name }) => name).filter((name) => values[name]?.trim() === '');
  const given = Object.entries(values).filter(([name]) => !blank.includes(name));
  const [only = anyRecipient, another] = recipients;
  if (given.length === Object.keys(values).length || another) return values;
  return withRecipient(version, Object.fromEntries(given), only);
}

async function readChosen(
  { organizationId }: Pick<DraftRecord, 'organizationId'>,
  { templateId, version, mode }: DraftTemplate,
): Promise<TemplateVersion> {
  return await readVersion({ organizationId, mode }, templateId, version);
}

/** Returns a value for each variable of the template: a form lacks boxes that are not checked. */
function completeValues({ text }: TemplateVersion, given: GivenValues): Record<string, string> {
  const byKey = new Map(Object.entries(given).map(([name, value]) => [variableKey(name), value]));
  return Object.fromEntries(describeVariables(text).map(({ name }) => [name, byKey.get(variableKey(name)) ?? '']));
}

type MadeLetter = { letter: StoredLetter | null; fault: DraftLetterFault | null };

/** Typesets a letter, unless a value is faulty. */
async function makeLetter(
  owner: Owner,
  version: TemplateVersion,
  variables: MergeVariables,
  deps: ResolveDeps,
  at: Date,
): Promise<MadeLetter> {
  if (findVariableFaults(version, variables).length > 0) return { letter: null, fault: null };
  const { language, text } = version;
  try {
    // The draft moves its files to another mode and removes them.
    const letter = await setLetter(owner, { language, text, variables, isOwn: true }, deps, at);
    return { letter, fault: null };
  } catch (error) {
    if (hasCode(error, 'SERVICE_UNAVAILABLE') || hasCode(error, 'RATE_LIMITED')) return { letter: null, fault: 'late' };
    if (hasCode(error, 'LIMIT_REACHED')) return { letter: null, fault: 'storage_full' };
    const [issue] = (error instanceof AppError && error.issues) || [];
    const fault = faultOfMessage(issue?.message ?? '');
    if (fault === null) throw error;
    return { letter: null, fault };
  }
}

/** Gives a letter the name of its template, by which its user knows it. */
async function nameLetter(owner: Owner, { s3Key, sizeBytes }: StoredLetter, name: string): Promise<DraftFile> {
  const filename = `${name.replaceAll(/[/\\]/g, '-')}.pdf`;
  await Upload.updateOne({ _id: s3Key, ...owner }, { filename });
  return { s3Key, filename, mimeType: 'application/pdf', sizeBytes };
}
