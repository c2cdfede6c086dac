import { extname } from 'node:path';
import { html } from 'hono/html';
import { z } from 'zod';
import { postForm } from '#api/web/design/form.ts';
import { nothing } from '#api/web/design/markup.ts';
import { pageHead } from '#api/web/design/page-parts.ts';
import { region, scriptedForms, uploadList } from '#api/web/design/scripted-forms.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import type { SentFile } from '#api/web/framework/forms/file-form.ts';
import { choice } from '#api/web/framework/forms/form-fields.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import { pagePolicy } from '#api/web/framework/security-headers.ts';
import { callerOf } from '#api/web/visit/visit.ts';
import { createBulk } from '#common/bulk/actions/create-bulk.ts';
import { tableLimits } from '#common/bulk/file/table-limits.ts';
import { plusMs } from '#common/clock.ts';
import type { CursorCodec } from '#common/cursor.ts';
import { hasCode } from '#common/errors.ts';
import { type BulkMimeType, bulkMimeTypes, type UploadMimeType } from '#common/mime-types.ts';
import { modes, type Owner } from '#common/modes.ts';
import { serviceTypes } from '#common/services.ts';
import { listTemplates, readTemplate } from '#common/templates/read-templates.ts';
import { type StoreUploadDeps, storeUpload } from '#common/uploads/store-upload.ts';
import { maxUploadBytes } from '#common/uploads/upload.schema.ts';
import { bulkPath } from './bulk-parts.ts';
import { defineAction, definePage } from './texts.ts';

const path = '/account/bulk/new';

const [csv, xlsx, zip] = bulkMimeTypes;
/** What a list is shows in its bytes. The type only says with which URL it would be uploaded. */
const typeOfList: Record<string, BulkMimeType> = { '.csv': csv, '.txt': csv, '.tsv': csv, '.xlsx': xlsx, '.zip': zip };
/** Other spreadsheets are refused by their name once they are read. */
const typeOfSpreadsheet = Object.fromEntries(
  ['.xls', '.xlsm', '.xlsb', '.ods', '.numbers', '.html'].map((end) => [end, xlsx]),
);
const typeOfDocument: Record<string, UploadMimeType> = {
  '.pdf': 'application/pdf',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
};
/** How long the files can be used before the bulk keeps them. */
const usableMs = 60 * 60 * 1000;

/** The form that starts a bulk. It works without JavaScript: the files are part of the form. */
export const newBulkPage = definePage({
  path,
  async show({ visit, sent }, { cursors }) {
    const templates = await findTemplates(visit.user.organizationId, cursors);
    const { bulk: texts, words } = visit.texts;
    const form = postForm({ visit, sent, action: path, hasFiles: true }, (fields) => {
      const named = <T extends string>(values: readonly T[], names: Record<T, string>) =>
        values.map((value) => ({ value, label: names[value] }));
      const list = { name: 'list', label: texts.listFile, hint: texts.listHint };
      const document = { name: 'document', label: texts.document, hint: texts.documentHint, isOptional: true };
      return html`${fields.radios({ name: 'mode', label: texts.mode, options: named(modes, words.modes), chosen: ['test'] })}
<p class="hint">${texts.modeHint}</p>
${fields.file({ ...list, accept: Object.keys(typeOfList) })}
${fields.file({ ...document, accept: Object.keys(typeOfDocument) })}
${templates.length === 0 ? nothing : fields.select({ name: 'template', label: texts.template, hint: texts.templateHint, options: [{ value: '', label: texts.noTemplate }, ...templates.map(({ _id, name, mode }) => ({ value: _id, label: `${name} (${words.modes[mode]})` }))] })}
${fields.radios({ name: 'serviceType', label: texts.service, options: named(serviceTypes, words.serviceTypes), chosen: ['standard'] })}
${fields.checkboxes({ name: 'color', label: texts.printing, options: [{ value: 'yes', label: texts.color }] })}
${fields.radios({ name: 'sides', label: words.sides.legend, options: named(['two', 'one'] as const, words.sides), chosen: ['two'] })}
<p class="hint">${texts.checkHint}</p>
${uploadList({ isWhole: true })}
<p class="actions">${fields.submit({ value: 'check', label: texts.check })}</p>`;
    });
    return view({
      title: texts.createTitle,
      headers: { 'Content-Security-Policy': pagePolicy({ hasRequests: true }) },
      body: html`${pageHead({ title: texts.createTitle, lead: texts.createLead })}<section class="sheet">${scriptedForms(visit, region('form', form))}</section>`,
    });
  },
});

export const newBulkAction = defineAction({
  path,
  page: newBulkPage,
  form: z.object({
    mode: choice(modes),
    serviceType: choice(serviceTypes),
    color: z.literal('yes').optional(),
    sides: choice(['two', 'one']).default('two'),
    template: z.string().max(100).optional(),
  }),
  files: { maxFiles: 2, maxFileBytes: tableLimits.fileBytes, maxTotalBytes: tableLimits.fileBytes + maxUploadBytes },

  async run({ visit, form, files, now }, services) {
    const owner = callerOf(visit, { organizationId: visit.user.organizationId, mode: form.mode });
    const list = requireFile(files, 'list', { ...typeOfSpreadsheet, ...typeOfList }, tableLimits.fileBytes);
    if (list === null) throw new FormRefusal({ list: 'required' });
    const document = requireFile(files, 'document', typeOfDocument, maxUploadBytes);
    const templateId = form.template === '' ? undefined : form.template;
    if (document === null && list.mimeType !== zip && !templateId) throw new FormRefusal({ document: 'required' });
    if (templateId) await requireTemplate(owner, templateId, document !== null);

    const file = await store(owner, list, services, now);
    const shared = document === null ? null : await store(owner, document, services, now);
    const request = {
      file,
      ...(shared && { files: [shared] }),
      ...(templateId && { templateId }),
      ...{ serviceType: form.serviceType, color: form.color === 'yes', doubleSided: form.sides !== 'one' },
    };
    const { _id } = await createBulk(owner, request, services, now);
    return redirect(visit.href(`${bulkPath}/${_id}`));
  },
});

/** Templates in the form. Older ones are used by the API. */
const maxTemplates = 50;

/** Returns the latest templates of both modes. */
async function findTemplates(organizationId: string, cursors: CursorCodec) {
  const pages = await Promise.all(
    modes.map((mode) => listTemplates({ organizationId, mode }, { limit: maxTemplates }, cursors)),
  );
  return pages.flatMap(({ rows }) => rows);
}

/** Throws FormRefusal for a template beside a document, and for one of the other mode. */
async function requireTemplate(owner: Owner, templateId: string, hasDocument: boolean): Promise<void> {
  if (hasDocument) throw new FormRefusal({ template: 'documentOrTemplate' });
  await readTemplate(owner, templateId).catch((error: unknown) => {
    throw hasCode(error, 'NOT_FOUND') ? new FormRefusal({ template: 'otherMode' }) : error;
  });
}

type Received<Type> = { filename: string; path: string; sizeBytes: number; mimeType: Type };

/** Returns a file of the form; null when none was chosen. Throws FormRefusal for its fault. */
function requireFile<Type extends string>(
  files: readonly SentFile[],
  field: string,
  types: Record<string, Type>,
  maxBytes: number,
): Received<Type> | null {
  const file = files.find((each) => each.field === field);
  if (!file) return null;
  if (file.fault === 'empty') throw new FormRefusal({ [field]: 'emptyFile' });
  if (file.path === null || file.sizeBytes > maxBytes) throw new FormRefusal({ [field]: 'fileTooLarge' });
  const mimeType = types[extname(file.filename).toLowerCase()];
  if (mimeType === undefined) throw new FormRefusal({ [field]: 'fileType' });
  const { filename, path: onDisk, sizeBytes } = file;
  return { filename, path: onDisk, sizeBytes, mimeType };
}

async function store(
  owner: Owner,
  file: Received<BulkMimeType | UploadMimeType>,
  deps: StoreUploadDeps,
  now: Date,
): Promise<{ s3Key: string }> {
  const { _id: s3Key } = await storeUpload(owner, { ...file, usableUntil: plusMs(now, usableMs) }, deps, now);
  return { s3Key };
}
