import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import type { fieldSet } from '#api/web/design/fields.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { choice, type FormError, requiredLine } from '#api/web/framework/forms/form-fields.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import { type SentForm, textOf } from '#api/web/visit/sent-form.ts';
import { type Language, languages } from '#common/languages.ts';
import type { MergeVariables } from '#common/templates/text/fill-template.ts';
import { parseTemplate } from '#common/templates/text/parse-template.ts';
import { templateLimits } from '#common/templates/text/text-faults.ts';
import { variableKey } from '#common/templates/text/variable-names.ts';
import type { Visit } from './texts.ts';

/** Path parameters of the pages about one template. */
export const templateParams = z.object({ templateId: idOf('tpl') });

const errorKey = (key: FormError) => key;

/** The form for creating, changing and previewing a template. Sample values come in fields named by variable. */
export const templateForm = z.looseObject({
  name: requiredLine(100),
  language: choice(languages),
  text: z
    .string({ error: errorKey('required') })
    .max(templateLimits.characters * 2, errorKey('tooLong'))
    // Browsers send lines that end with CR LF.
    .transform((text) => text.replaceAll('\r\n', '\n')),
  action: z.string().optional(),
});
export type TemplateForm = z.infer<typeof templateForm>;

/** The values of the form at first. */
export type CurrentTemplate = { name: string; language: Language; text: string; samples: MergeVariables };

const samplePrefix = 'sample.';
/** Most sample values that are read, and characters of each. */
const maxSamples = { count: templateLimits.variables, length: 5_000 } as const;

/** Returns the sample values of a form. */
export function readSamples(form: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(form).flatMap(([name, value]) =>
    name.startsWith(samplePrefix) && typeof value === 'string' && value.trim() !== ''
      ? [[name.slice(samplePrefix.length), value.slice(0, maxSamples.length)] as const]
      : [],
  );
  return Object.fromEntries(given.slice(0, maxSamples.count));
}

/** Throws FormRefusal for a text with faults, which the page lists. */
export function assertText({ text }: Pick<TemplateForm, 'text'>): void {
  if (parseTemplate(text).faults.length > 0) throw new FormRefusal({ text: errorKey('templateText') });
}

/** Renders the fields of a template, and those of sample values for its variables. */
export function templateFields(
  visit: Visit,
  fields: ReturnType<typeof fieldSet>,
  current: CurrentTemplate,
  sent: SentForm,
): Markup {
  const texts = visit.texts.templates;
  const options = languages.map((value) => ({ value, label: texts.languages[value] }));
  const { name, language, text, samples } = current;
  const shownText = sent.path === null ? text : textOf(sent.values, 'text');
  return html`${fields.text({ name: 'name', label: texts.name, hint: texts.nameHint, value: name, maxLength: 100 })}
${fields.select({ name: 'language', label: texts.language, hint: texts.languageHint, options, chosen: [language] })}
${sent.errors.text === undefined ? nothing : faultList(visit, shownText)}
${fields.longText({ name: 'text', label: texts.text, hint: texts.textHint, value: text, rows: 18 })}
${notation(visit)}
${sampleFields(visit, fields, shownText, samples)}
<div class="actions">${fields.submit({ value: 'save', label: texts.save })}${fields.submit({ value: 'preview', label: texts.preview, kind: 'plain' })}</div>`;
}

/** The faults of a refused text, with their lines. */
function faultList(visit: Visit, text: string): Markup {
  const texts = visit.texts.templates;
  const { faults } = parseTemplate(text);
  if (faults.length === 0) return nothing;
  const lines = faults.slice(0, 50).map(({ line, code, value }) => {
    return html`<li><strong>${texts.line(visit.format.number(line))}</strong>: ${texts.faults[code](value)}</li>`;
  });
  return notice('danger', html`<p class="notice-title">${texts.faultsTitle}</p><ul>${lines}</ul>`);
}

function notation(visit: Visit): Markup {
  const texts = visit.texts.templates;
  const rows = texts.notationRows.map(
    ([sign, meaning]) => html`<div><dt><code>${sign}</code></dt><dd>${meaning}</dd></div>`,
  );
  return html`<details class="notation"><summary>${texts.notation}</summary><dl class="facts">${rows}</dl></details>`;
}

function sampleFields(
  visit: Visit,
  fields: ReturnType<typeof fieldSet>,
  text: string,
  samples: MergeVariables,
): Markup {
  const { variables } = parseTemplate(text);
  if (variables.length === 0) return nothing;
  const texts = visit.texts.templates;
  const values = new Map(Object.entries(samples).map(([name, value]) => [variableKey(name), String(value ?? '')]));
  const inputs = variables.map((name) => {
    const key = variableKey(name);
    return fields.text({
      name: `${samplePrefix}${key}`,
      label: visit.texts.words.variable(name),
      value: values.get(key) ?? '',
      isOptional: true,
    });
  });
  return html`<fieldset class="samples"><legend>${texts.samples}</legend><p class="hint">${texts.samplesHint}</p>${inputs}</fieldset>`;
}
