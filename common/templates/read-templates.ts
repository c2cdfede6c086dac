import type { CursorCodec } from '#common/cursor.ts';
import { hasCode, invalid, notFound } from '#common/errors.ts';
import { modes, type Owner } from '#common/modes.ts';
import { type Page, type PageQuery, readPage } from '#common/platform/mongo/read-page.ts';
import {
  Template,
  type TemplateRecord,
  type TemplateVersion,
  TemplateVersionModel,
  versionIdOf,
} from './template.model.ts';

/** Returns a template of this owner. Throws NOT_FOUND for any other, and for a deleted one. */
export async function readTemplate({ organizationId, mode }: Owner, templateId: string): Promise<TemplateRecord> {
  const filter = { _id: templateId, organizationId, mode };
  return await Template.findOne(filter).orFail(notFound).lean<TemplateRecord>();
}

/** Returns a template of this organization in either mode, for pages, which people open by link. Throws NOT_FOUND. */
export async function readTemplateOfAnyMode(organizationId: string, templateId: string): Promise<TemplateRecord> {
  const filter = { _id: templateId, organizationId, mode: { $in: [...modes] } };
  return await Template.findOne(filter).orFail(notFound).lean<TemplateRecord>();
}

/**
 * Returns the version of a template that letters are made of: the latest one, or the given one. Throws NOT_FOUND for an
 * unknown template or version, and for a deleted template.
 */
export async function readTemplateForUse(
  owner: Owner,
  templateId: string,
  version?: number | null,
): Promise<TemplateVersion> {
  const template = await readTemplate(owner, templateId);
  return await readVersion(owner, templateId, version ?? template.version);
}

/**
 * Returns the version that the body of a request names, as `readTemplateForUse`. An unknown one is a fault of the body:
 * throws VALIDATION_ERROR.
 */
export async function readNamedTemplate(
  owner: Owner,
  templateId: string,
  version?: number | null,
): Promise<TemplateVersion> {
  return await readTemplateForUse(owner, templateId, version).catch((error: unknown) => {
    if (!hasCode(error, 'NOT_FOUND')) throw error;
    const named = version == null ? 'template' : 'template with this version';
    throw invalid(['templateId'], `You have no such ${named}.`);
  });
}

/** Returns a version, also one of a deleted template, for letters that were made of it. Throws NOT_FOUND. */
export async function readVersion(
  { organizationId, mode }: Owner,
  templateId: string,
  version: number,
): Promise<TemplateVersion> {
  const filter = { _id: versionIdOf(templateId, version), organizationId, mode };
  return await TemplateVersionModel.findOne(filter).orFail(notFound).lean<TemplateVersion>();
}

/** Lists an owner's templates, newest first. */
export async function listTemplates(
  { organizationId, mode }: Owner,
  page: PageQuery,
  cursors: CursorCodec,
): Promise<Page<TemplateRecord>> {
  const filter = { organizationId, mode };
  const scope = { route: 'templates', organizationId, mode };
  return await readPage<TemplateRecord>({ model: Template as never, filter, scope }, page, cursors);
}

/** Most versions in one answer. The newest ones; older ones are read by number. */
const maxListedVersions = 100;

/** Lists the versions of a template, newest first, at most 100. Throws NOT_FOUND. */
export async function listVersions(owner: Owner, templateId: string): Promise<TemplateVersion[]> {
  await readTemplate(owner, templateId);
  return await TemplateVersionModel.find({ templateId })
    .sort({ version: -1 })
    .limit(maxListedVersions)
    .lean<TemplateVersion[]>();
}
