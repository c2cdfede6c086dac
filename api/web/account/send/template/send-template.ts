import { html } from 'hono/html';
import type { fieldSet } from '#api/web/design/fields.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import type { DraftTemplate } from '#common/drafts/draft.model.ts';
import type { DraftVariable } from '#common/drafts/draft-template.ts';
import { isTrue } from '#common/templates/text/fill-template.ts';
import { variableKey } from '#common/templates/text/variable-names.ts';
import { draftButton, draftForm, refusal, type SendScene } from '../send-scene.ts';

/** Of the fields of variables, which are named by variable. */
export const valuePrefix = 'value.';

/** Renders the choice of a template in place of files; nothing without templates. */
export function chooseTemplate(scene: SendScene): Markup {
  const { visit, templates } = scene;
  if (templates.length === 0) return nothing;
  const words = visit.texts.send.template;
  const options = templates.map(({ _id: value, name: label }) => ({ value, label }));
  return draftForm(
    scene,
    { action: 'template' },
    (fields) => html`<div class="or-template"><h3>${words.or}</h3>
${fields.select({ name: 'template', label: words.choose, options })}
${fields.submit({ value: 'use', label: words.use, kind: 'plain' })}</div>`,
  );
}

/** Renders the variables of the chosen template, each with its fault, and the way back to files. */
export function filledTemplate(scene: SendScene, template: DraftTemplate): Markup {
  const { visit, letter, draft } = scene;
  const words = visit.texts.send.template;
  const { variables = [], faults = [] } = letter ?? {};
  const isMade = draft.files.length > 0;
  const remove = draftButton(scene, { action: 'template/remove', label: words.remove }, 'quiet');
  return html`${refusal(scene, ['mode', 'files', 'template', 'template/remove'])}
<div class="template-name"><div class="about"><span class="quiet">${words.from}</span><strong class="breakable">${template.name}</strong></div><div class="moves">${remove}</div></div>
${problem(scene, template)}
${variables.length === 0 && isMade ? nothing : fillForm(scene, isMade)}
${!isMade && template.madeFor !== undefined && draft.recipients.length === 0 ? html`<p class="quiet">${words.waits}</p>` : nothing}
${isMade && faults.length === 0 ? html`<p class="quiet">${words.made}</p>` : nothing}`;
}

/** Why no letter was made of the values. */
function problem({ visit, letter }: SendScene, { fault }: DraftTemplate): Markup {
  const words = visit.texts.send.template;
  const faults = letter?.faults ?? [];
  const [ofWhole] = faults.filter(({ code }) => code === 'letterEmpty' || code === 'letterTooLong');
  const says = fault
    ? words.problems[fault]
    : ofWhole
      ? words.faults[ofWhole.code](ofWhole.value)
      : faults.length > 0
        ? words.faulty(faults.length)
        : null;
  return says === null ? nothing : html`<div role="alert">${notice('danger', html`<p>${says}</p>`)}</div>`;
}

function fillForm(scene: SendScene, isMade: boolean): Markup {
  const { visit, letter } = scene;
  const words = visit.texts.send.template;
  return draftForm(
    scene,
    { action: 'template/fill' },
    (
      fields,
    ) => html`<div class="template-fields">${(letter?.variables ?? []).map((variable) => oneVariable(scene, fields, variable))}</div>
${fields.submit({ value: 'fill', label: isMade ? words.update : words.make })}`,
  );
}

/** A text, or a box for a variable that only shows or hides text. */
function oneVariable(
  { visit, letter }: SendScene,
  fields: ReturnType<typeof fieldSet>,
  { name: variable, isPrinted, isRecipient, value }: DraftVariable,
): Markup {
  const words = visit.texts.send.template;
  const label = visit.texts.words.variable(variable);
  // IDs of fields have no spaces.
  const name = `${valuePrefix}${variableKey(variable)}`;
  if (!isPrinted) {
    const options = [{ value: 'yes', label: words.show }];
    return fields.checkboxes({ name, label, options, chosen: isTrue(value) ? ['yes'] : [] });
  }
  const fault = letter?.faults.find((each) => each.name === variable && each.code !== 'letterEmpty');
  const error = fault && fault.code !== 'letterTooLong' ? words.faults[fault.code](fault.value) : undefined;
  const optional = isRecipient && { hint: words.ofRecipient, isOptional: true };
  return fields.longText({ name, label, value, rows: 1, error, ...optional });
}
