import { readFile } from 'node:fs/promises';
import { html } from 'hono/html';
import { z } from 'zod';
import type { fieldSet } from '#api/web/design/fields.ts';
import { postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { pageHead, section } from '#api/web/design/page-parts.ts';
import { download, redirect, view } from '#api/web/framework/answer.ts';
import type { SentFile } from '#api/web/framework/forms/file-form.ts';
import type { FormError } from '#api/web/framework/forms/form-fields.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import { actorOf } from '#api/web/visit/visit.ts';
import { findUnprintable } from '#common/documents/typesetting/font-coverage.ts';
import { notFound } from '#common/errors.ts';
import { withoutHarmless } from '#common/fields/text.schema.ts';
import type { LetterheadRecord } from '#common/templates/letterhead.model.ts';
import { findLogoFault, letterheadLimits, readLetterhead, saveLetterhead } from '#common/templates/letterheads.ts';
import { makePreview, previewSection } from './template-preview.ts';
import { defineAction, definePage, type Visit } from './texts.ts';

const path = '/account/templates/letterhead';
const errorKey = (key: FormError) => key;

/** The letterhead of an organization, in both modes. */
export const letterheadPage = definePage({
  path,

  async show({ visit, sent, now }, services) {
    const texts = visit.texts.letterhead;
    const { organizationId } = visit.user;
    const current = await readLetterhead(organizationId);
    const { language } = visit;
    const source = { language, text: texts.sample, samples: {} };
    const preview = current && (await makePreview(visit, { organizationId, mode: 'test' }, source, services, now));
    const back = html`<a class="button plain" href="${visit.href('/account/templates')}">${texts.back}</a>`;
    const form = postForm({ visit, sent, action: path, hasFiles: true }, (fields) =>
      letterheadFields(visit, fields, current, sent.errors.logo !== undefined),
    );
    const edit = section(texts.edit, form);
    return view({
      title: texts.title,
      body: html`${pageHead({ title: texts.title, lead: texts.lead, actions: back })}
${preview ? html`<div class="with-preview">${edit}${previewSection(visit, preview)}</div>` : edit}`,
    });
  },
});

function letterheadFields(
  visit: Visit,
  fields: ReturnType<typeof fieldSet>,
  current: LetterheadRecord | null,
  isLogoWrong: boolean,
): Markup {
  const texts = visit.texts.letterhead;
  const lines = (name: 'senderLines' | 'footerLines', label: string, hint: string, rows: number) =>
    fields.longText({ name, label, hint, value: (current?.[name] ?? []).join('\n'), isOptional: true, rows });
  const remove = fields.checkboxes({
    name: 'removeLogo',
    label: texts.logoNow,
    options: [{ value: 'yes', label: texts.removeLogo }],
  });
  const logoNow = html`<p><img class="logo-picture" src="${visit.href(`${path}/logo`, { v: String(current?.version) })}" alt="${texts.logoNow}"></p>${remove}`;
  return html`${lines('senderLines', texts.sender, texts.senderHint, letterheadLimits.senderLines)}
${lines('footerLines', texts.footer, texts.footerHint, letterheadLimits.footerLines)}
${current?.logo ? logoNow : nothing}
<div class="field${isLogoWrong ? ' wrong' : ''}"><label for="account-templates-letterhead-logo">${texts.logo} <span class="optional">(${visit.texts.form.optional})</span></label>
<p class="hint" id="account-templates-letterhead-logo-hint">${texts.logoHint}</p>
${isLogoWrong ? html`<p class="error" id="account-templates-letterhead-logo-error">${visit.texts.form.errors.logoInvalid}</p>` : nothing}
<input type="file" name="logo" id="account-templates-letterhead-logo" accept="image/png,image/jpeg" aria-describedby="account-templates-letterhead-logo-hint${isLogoWrong ? ' account-templates-letterhead-logo-error' : ''}"${isLogoWrong ? html` aria-invalid="true"` : nothing}></div>
${fields.submit({ value: 'save', label: texts.save })}`;
}

/** Lines of text, at most `most`. Blank ones are left out. */
function linesOf(most: number) {
  return z
    .string()
    .max(5_000, errorKey('tooLong'))
    .transform((text) =>
      text
        .normalize('NFC')
        .split('\n')
        .map(withoutHarmless)
        .filter((line) => line !== ''),
    )
    .refine((lines) => lines.length <= most, errorKey('tooManyLines'))
    .refine((lines) => lines.every((line) => [...line].length <= letterheadLimits.lineLength), errorKey('tooLong'))
    .refine((lines) => lines.every((line) => findUnprintable(line).length === 0), errorKey('unprintable'));
}

export const saveLetterheadAction = defineAction({
  path,
  form: z.object({
    senderLines: linesOf(letterheadLimits.senderLines),
    footerLines: linesOf(letterheadLimits.footerLines),
    removeLogo: z.string().optional(),
  }),
  page: letterheadPage,
  files: { maxFiles: 1, maxFileBytes: letterheadLimits.logoBytes, maxTotalBytes: letterheadLimits.logoBytes },

  async run({ visit, form: { removeLogo, ...lines }, files, now }) {
    const sent = await readLogo(files);
    const logo = sent ?? (removeLogo === undefined ? 'keep' : null);
    await saveLetterhead(visit.user.organizationId, { ...lines, logo }, { by: actorOf(visit), at: now });
    return redirect(visit.href(path, { notice: 'letterheadSaved' }));
  },
});

/** Returns the image of the form, null when it has none. Throws FormRefusal for a file that is not a logo. */
async function readLogo([file]: readonly SentFile[]): Promise<Buffer | null> {
  if (!file) return null;
  const bytes = file.path === null ? null : await readFile(file.path);
  if (bytes === null || findLogoFault(bytes) !== null) throw new FormRefusal({ logo: errorKey('logoInvalid') });
  return bytes;
}

/** The logo as it was uploaded. */
export const logoPage = definePage({
  path: `${path}/logo`,
  isFile: true,

  async show({ visit }) {
    const found = await readLetterhead(visit.user.organizationId);
    if (!found?.logo) throw notFound();
    const { type, base64 } = found.logo;
    return download({ contentType: `image/${type}`, filename: null, body: Buffer.from(base64, 'base64') });
  },
});
