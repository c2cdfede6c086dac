import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { checkbox, type FormError } from '#api/web/framework/forms/form-fields.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import type { WebServices } from '#api/web/framework/page.ts';
import { callerOf, type VisitOf } from '#api/web/visit/visit.ts';
import { createAddress } from '#common/addresses/change-addresses.ts';
import { readAddress } from '#common/addresses/read-addresses.ts';
import {
  withAllConfirmed,
  withConfirmed,
  withCorrection,
  withoutPasted,
  withoutRecipient,
  withPasted,
  withRecipients,
} from '#common/drafts/draft-changes.ts';
import { saveRecipients } from '#common/drafts/draft-template.ts';
import { type DraftChange, findDraft } from '#common/drafts/save-draft.ts';
import { hasCode } from '#common/errors.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { checkBelgianZip, postalForm } from '../addresses/address-form.ts';
import { sendPage } from './send.ts';
import { completeAddress } from './send-recipients.ts';
import { answerChange, type DraftForm, draftFields, editorOf, sendPath } from './send-scene.ts';
import { defineAction } from './texts.ts';

const shared = { isRapid: true, page: sendPage } as const;
const path = `${sendPath}/recipients` as const;
const partId = z.string().max(40);
const maxPastedLength = 10_000;
const errorKey = (key: FormError) => key;

type Submitted<F extends DraftForm> = { visit: VisitOf<'user'>; form: F; now: Date };

/** Saves one change of the recipients and returns to them. */
async function save<F extends DraftForm>(
  { visit, form, now }: Submitted<F>,
  change: DraftChange,
  services: WebServices,
) {
  const { draft: draftId, mode } = form;
  return await answerChange({ visit, form, step: 'recipients' }, () =>
    saveRecipients(editorOf(visit), { draftId, mode }, change, services, now),
  );
}

const addressOf = ({ name, line1, line2, zip, city, country }: PostalAddress): PostalAddress => ({
  ...{ name, line1, line2, zip, city, country },
});

/** Adds a typed address, and an entry of the address book if wanted. */
export const addRecipientAction = defineAction({
  ...shared,
  path,
  form: postalForm.extend({ ...draftFields, save: checkbox }).check(checkBelgianZip),

  async run({ visit, form, now }, services) {
    const { draft: draftId, mode } = form;
    const address = addressOf(form);
    return await answerChange({ visit, form, step: 'recipients' }, async () => {
      const change = withRecipients([address]);
      const draft = await saveRecipients(editorOf(visit), { draftId, mode }, change, services, now);
      if (!form.save) return;
      await createAddress(callerOf(visit, draft), { kind: 'RECIPIENT', ...address }, now);
    });
  },
});

/** Reads pasted addresses. They become recipients when they are confirmed. */
export const pasteRecipientsAction = defineAction({
  ...shared,
  path: `${path}/paste`,
  form: z.object({
    ...draftFields,
    text: z
      .string({ error: errorKey('required') })
      .max(maxPastedLength, errorKey('tooLong'))
      .refine((text) => text.trim() !== '', errorKey('required')),
  }),
  run: (submitted, services) => save(submitted, withPasted(submitted.form.text), services),
});

/** Adds a pasted address as it was confirmed. */
export const confirmPastedAction = defineAction({
  ...shared,
  path: `${path}/confirm`,
  form: postalForm.extend({ ...draftFields, pasted: partId }).check(checkBelgianZip),
  run: (submitted, services) =>
    save(submitted, withConfirmed(submitted.form.pasted, addressOf(submitted.form)), services),
});

/** Adds all pasted addresses that are complete. */
export const confirmAllAction = defineAction({
  ...shared,
  path: `${path}/confirm-all`,
  form: z.object(draftFields),
  run: (submitted, services) => save(submitted, withAllConfirmed(completeAddress), services),
});

export const leaveOutAction = defineAction({
  ...shared,
  path: `${path}/leave-out`,
  form: z.object({ ...draftFields, pasted: partId }),
  run: (submitted, services) => save(submitted, withoutPasted(submitted.form.pasted), services),
});

export const changeRecipientAction = defineAction({
  ...shared,
  path: `${path}/change`,
  form: postalForm.extend({ ...draftFields, recipient: partId }).check(checkBelgianZip),
  run: (submitted, services) =>
    save(submitted, withCorrection(submitted.form.recipient, addressOf(submitted.form)), services),
});

export const removeRecipientAction = defineAction({
  ...shared,
  path: `${path}/remove`,
  form: z.object({ ...draftFields, recipient: partId }),
  run: (submitted, services) => save(submitted, withoutRecipient(submitted.form.recipient), services),
});

/** Copies an entry of the address book into the draft. */
export const pickRecipientAction = defineAction({
  path: `${sendPath}/recipients/pick`,
  isRapid: true,
  form: z.object({ ...draftFields, address: idOf('adr') }),
  page: sendPage,

  async run({ visit, form, now }, services) {
    const { draft: draftId, mode, address } = form;
    const { organizationId } = visit.user;
    return await answerChange({ visit, form, step: 'recipients' }, async () => {
      const draft = await findDraft({ organizationId, draftId }, now);
      const entry = await readAddress({ organizationId, mode: draft?.mode ?? mode }, address).catch(
        (error: unknown) => {
          throw hasCode(error, 'NOT_FOUND') ? new FormRefusal({ '': 'addressGone' }, { status: 409 }) : error;
        },
      );
      const { name, line1, line2, zip, city, country } = entry;
      const recipient = { name, line1, line2, zip, city, country };
      await saveRecipients(editorOf(visit), { draftId, mode }, withRecipients([recipient]), services, now);
    });
  },
});
