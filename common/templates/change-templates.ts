import type { AuditActor } from '#common/audit/audit.model.ts';
import { type Creator, creatorOf } from '#common/audit/created-by.ts';
import { AppError, conflict, type Issue, notFound } from '#common/errors.ts';
import { newIdAt } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import type { KeyClaim } from '#common/platform/idempotency/claim-key.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import {
  Template,
  type TemplateRecord,
  type TemplateVersion,
  TemplateVersionModel,
  versionIdOf,
} from './template.model.ts';
import type { TemplatePatch, TemplateRequest } from './template.schema.ts';
import { parseTemplate } from './text/parse-template.ts';
import { describeTextFault } from './text/text-faults.ts';

/** Most templates of an owner. Checked before the insert, so simultaneous requests may exceed it by a few. */
const maxTemplates = 500;
const maxVersions = 10_000;

/**
 * Creates a template with its first version, and finishes `claim` in the same transaction. Throws VALIDATION_ERROR for
 * faults in the text, and LIMIT_REACHED.
 */
export async function createTemplate(
  owner: Creator,
  request: TemplateRequest,
  at: Date,
  claim?: KeyClaim,
): Promise<TemplateVersion> {
  assertText(request.text);
  const { organizationId, mode } = owner;
  const count = await Template.countDocuments({ organizationId, mode }).limit(maxTemplates);
  if (count >= maxTemplates) {
    throw new AppError('LIMIT_REACHED', { message: `An organization has at most ${maxTemplates} templates per mode.` });
  }
  const _id = newIdAt('tpl', at);
  const { name, language } = request;
  const record: TemplateRecord = {
    _id,
    ...{ organizationId, mode },
    name,
    version: 1,
    language,
    ...creatorOf(owner.actor),
    createdAt: at,
    updatedAt: at,
  };
  return await inTransaction(async (transaction) => {
    await Template.insertMany([record], { session: transaction });
    await claim?.finish(_id, transaction);
    return await insertVersion(transaction, record, request.text, at, owner.actor);
  }, storedCheck);
}

/**
 * Changes the given fields, which makes a new version. Without a difference to the latest version nothing is stored.
 * Throws NOT_FOUND, VALIDATION_ERROR for faults in the text, and CONFLICT when `basedOn` is not the latest version.
 */
export async function changeTemplate(
  owner: Creator,
  templateId: string,
  { basedOn, ...patch }: TemplatePatch,
  at: Date,
): Promise<TemplateVersion> {
  if (patch.text != null) assertText(patch.text);
  const { organizationId, mode } = owner;
  const filter = { _id: templateId, organizationId, mode };
  return await inTransaction(async (transaction) => {
    const before = await Template.findOne(filter).session(transaction).orFail(notFound).lean<TemplateRecord>();
    const latest = await TemplateVersionModel.findById(versionIdOf(templateId, before.version))
      .session(transaction)
      .orFail()
      .lean<TemplateVersion>();
    if (basedOn != null && basedOn !== before.version) {
      const message = `Somebody changed this template: its latest version is ${before.version}, not ${basedOn}. Read it again.`;
      throw conflict(message);
    }
    const name = patch.name ?? latest.name;
    const language = patch.language ?? latest.language;
    const text = patch.text ?? latest.text;
    if (name === latest.name && language === latest.language && text === latest.text) return latest;
    if (before.version >= maxVersions) {
      throw new AppError('LIMIT_REACHED', {
        message: `A template has at most ${maxVersions} versions. Create a new one.`,
      });
    }
    const after: TemplateRecord = { ...before, name, language, version: before.version + 1, updatedAt: at };
    const { _id: _, ...changes } = after;
    await Template.updateOne(filter, { $set: changes }, { session: transaction });
    return await insertVersion(transaction, after, text, at, owner.actor);
  }, storedCheck);
}

/** Deletes a template. Letters made of it, and its versions, stay. Throws NOT_FOUND. */
export async function deleteTemplate({ organizationId, mode }: Owner, templateId: string): Promise<void> {
  const { deletedCount } = await Template.deleteOne({ _id: templateId, organizationId, mode });
  if (deletedCount === 0) throw notFound();
}

const storedCheck = {
  isStored: (transaction: Transaction, { _id }: TemplateVersion) => isInserted(transaction, TemplateVersionModel, _id),
};

async function insertVersion(
  transaction: Transaction,
  { _id: templateId, version, organizationId, mode, name, language }: TemplateRecord,
  text: string,
  at: Date,
  by: AuditActor | undefined,
): Promise<TemplateVersion> {
  const _id = versionIdOf(templateId, version);
  const row = { _id, templateId, version, organizationId, mode, name, language, text, ...creatorOf(by), createdAt: at };
  await TemplateVersionModel.insertMany([row], { session: transaction });
  return row;
}

/** Most faults in one answer. */
const maxIssues = 50;

function assertText(text: string): void {
  const { faults } = parseTemplate(text);
  if (faults.length === 0) return;
  const issues: Issue[] = faults
    .slice(0, maxIssues)
    .map((fault) => ({ path: ['text'], message: `Line ${fault.line}: ${describeTextFault(fault)}` }));
  throw new AppError('VALIDATION_ERROR', { issues });
}
