import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { redirect } from '#api/web/framework/answer.ts';
import { choice, type FormError, wholeNumber } from '#api/web/framework/forms/form-fields.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import { callerOf } from '#api/web/visit/visit.ts';
import { readDay } from '#common/calendar.ts';
import { plusMs } from '#common/clock.ts';
import { changeDraftMode } from '#common/drafts/change-mode.ts';
import { withOptions } from '#common/drafts/draft-changes.ts';
import { removeDraft, saveDraft } from '#common/drafts/save-draft.ts';
import { sendDraft } from '#common/drafts/send-draft.ts';
import { hasCode } from '#common/errors.ts';
import { maxDaysAhead } from '#common/mail-jobs/rules/plan-drop.ts';
import { modes } from '#common/modes.ts';
import { serviceTypes } from '#common/services.ts';
import { sendPage } from './send.ts';
import { answerChange, draftFields, editorOf, sendPath } from './send-scene.ts';
import { defineAction } from './texts.ts';

const errorKey = (key: FormError) => key;

export const changeModeAction = defineAction({
  path: `${sendPath}/mode`,
  isRapid: true,
  form: z.object({ ...draftFields, to: z.enum(modes) }),
  page: sendPage,

  async run({ visit, form, now }, services) {
    return await answerChange({ visit, form, step: 'files' }, () =>
      changeDraftMode(editorOf(visit), { draftId: form.draft, mode: form.to }, services, now),
    );
  },
});

export const discardDraftAction = defineAction({
  path: `${sendPath}/discard`,
  form: z.object(draftFields),
  page: sendPage,

  async run({ visit, form, now }) {
    await removeDraft({ organizationId: visit.user.organizationId, draftId: form.draft }, now);
    return redirect(visit.href(sendPath, { notice: 'draftDiscarded' }));
  },
});

export const saveOptionsAction = defineAction({
  path: `${sendPath}/options`,
  isRapid: true,
  form: z.object({
    ...draftFields,
    service: choice(serviceTypes),
    color: choice(['no', 'yes']),
    sides: choice(['two', 'one']).default('two'),
    sender: idOf('adr').or(z.literal('')).default(''),
    receipt: z.literal('yes').optional(),
    dropOn: z
      .string()
      .trim()
      .refine((text) => text === '' || readDay(text) !== null, errorKey('invalid'))
      .default(''),
  }),
  page: sendPage,

  async run({ visit, form, now }) {
    const { draft: draftId, mode, service: serviceType, color, sides, receipt, dropOn, sender } = form;
    const day = dropOn === '' ? null : readDay(dropOn);
    if (day && day.endsAt <= now) throw new FormRefusal({ dropOn: 'dateOver' });
    if (day && day.startsAt > plusMs(now, maxDaysAhead * 24 * 60 * 60 * 1000)) {
      throw new FormRefusal({ dropOn: 'dateTooFar' });
    }
    const options = {
      ...{
        serviceType,
        color: color === 'yes',
        doubleSided: sides === 'two',
        acknowledgmentReceipt: receipt !== undefined,
      },
      dropOn: dropOn === '' ? null : dropOn,
      senderId: sender === '' ? null : sender,
    };
    return await answerChange({ visit, form, step: 'options' }, () =>
      saveDraft(editorOf(visit), { draftId, mode }, withOptions(options), now),
    );
  },
});

const maxCents = 1_000_000_000;

export const sendLetterAction = defineAction({
  path: `${sendPath}/confirm`,
  form: z.object({
    ...draftFields,
    revision: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    total: wholeNumber(0, maxCents),
    sender: z.string().max(64),
  }),
  page: sendPage,

  async run({ visit, form, now }, services) {
    const { draft: draftId, revision, total: maxTotalCents, sender: senderKey } = form;
    const { organizationId } = visit.user;
    // A user may do everything with the letters of the organization.
    const credential = callerOf(visit, { organizationId, mode: form.mode });
    const toSend = { organizationId, draftId, revision, maxTotalCents, senderKey, credential };
    try {
      const mailJobId = await sendDraft(toSend, services, now);
      return redirect(visit.href(`/account/letters/${mailJobId}`, { notice: 'letterSent' }));
    } catch (error) {
      if (hasCode(error, 'INSUFFICIENT_FUNDS')) throw new FormRefusal({ '': 'balanceShort' }, { status: 409 });
      if (hasCode(error, 'CONFLICT')) throw new FormRefusal({ '': 'draftChanged' }, { status: 409 });
      throw error;
    }
  },
});
