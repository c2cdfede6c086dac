import mongoose from 'mongoose';
import { createdByField } from '#common/audit/created-by.ts';
import { type Language, languages } from '#common/languages.ts';
import * as row from '#common/platform/mongo/row.ts';

const fields = {
  _id: row.text,
  ...row.owned,
  name: row.text,
  /** The latest version. Each edit adds one. */
  version: row.number,
  /** As in the latest version, for lists. */
  language: row.oneOf(languages),
  createdBy: createdByField,
  createdAt: row.date,
  updatedAt: row.date,
};
/** A template that letters can be made of. When it is deleted, its versions stay, because letters name them. */
export type TemplateRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('templates', fields);
schema.index({ organizationId: 1, mode: 1, _id: -1 });

export const Template = mongoose.model('Template', schema);

const versionFields = {
  /** `templateId` and `version`, so that each number exists once. */
  _id: row.text,
  templateId: row.text,
  version: row.number,
  ...row.owned,
  name: row.text,
  language: row.textOf<Language>(),
  text: row.text,
  createdBy: createdByField,
  createdAt: row.date,
};
/** A template as it was after one edit. Never changes. */
export type TemplateVersion = row.RecordOf<typeof versionFields>;

const versionSchema = row.schemaOf('template_versions', versionFields);
versionSchema.index({ templateId: 1, version: -1 });
row.makeAppendOnly(versionSchema, 'Versions of templates never change');

export const TemplateVersionModel = mongoose.model('TemplateVersion', versionSchema);

/** Returns the id of a version. */
export function versionIdOf(templateId: string, version: number): string {
  return `${templateId}:${version}`;
}
