import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { defineAction } from '#api/web/account/send/texts.ts';
import type { FormError } from '#api/web/framework/forms/form-fields.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import { chooseDraftTemplate, fillDraftTemplate, removeDraftTemplate } from '#common/drafts/draft-template.ts';
import { hasCode } from '#common/errors.ts';
import { templateLimits } from '#common/templates/text/text-faults.ts';
import { sendPage } from '../send.ts';
import { answerChange, draftFields, editorOf, sendPath } from '../send-scene.ts';
import { valuePrefix } from './send-template.ts';

const path = `${sendPath}/template` as const;
const shared = { page: sendPage } as const;
const errorKey = (key: FormError) => key;

/** Chooses a template in place of files. */
export const chooseTemplateAction = defineAction({
  ...shared,
  path,
  form: z.object({ ...draftFields, template: idOf('tpl') }),

  async run({ visit, form, now }, services) {
    const { draft: draftId, mode, template: templateId } = form;
    return await answerChange({ visit, form, step: 'files' }, () =>
      chooseDraftTemplate(editorOf(visit), { draftId, mode, templateId }, services, now).catch((error: unknown) => {
        throw hasCode(error, 'NOT_FOUND') ? new FormRefusal({ '': errorKey('templateGone') }, { status: 409 }) : error;
      }),
    );
  },
});

/** Fills the variables of the template in and makes the letter. */
export const fillTemplateAction = defineAction({
  ...shared,
  path: `${path}/fill`,
  form: z.looseObject(draftFields),
  isLong: true,

  async run({ visit, form, now }, services) {
    const { draft: draftId, mode } = form;
    const target = { draftId, mode, values: readValues(form) };
    return await answerChange({ visit, form, step: 'files' }, () =>
      fillDraftTemplate(editorOf(visit), target, services, now),
    );
  },
});

/** Returns to files. */
export const removeTemplateAction = defineAction({
  ...shared,
  path: `${path}/remove`,
  form: z.object(draftFields),

  async run({ visit, form, now }) {
    const { draft: draftId, mode } = form;
    return await answerChange({ visit, form, step: 'files' }, () =>
      removeDraftTemplate(editorOf(visit), { draftId, mode }, now),
    );
  },
});

/** Returns the values of a form by the names of their variables. */
function readValues(form: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(form).flatMap(([name, value]) =>
    name.startsWith(valuePrefix) && typeof value === 'string' ? [[name.slice(valuePrefix.length), value] as const] : [],
  );
  return Object.fromEntries(given.slice(0, templateLimits.variables));
}
