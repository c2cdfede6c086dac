import { html } from 'hono/html';
import { z } from 'zod';
import { postForm } from '#api/web/design/form.ts';
import { pageHead, section } from '#api/web/design/page-parts.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { choice } from '#api/web/framework/forms/form-fields.ts';
import { callerOf } from '#api/web/visit/visit.ts';
import { createAddress } from '#common/addresses/change-addresses.ts';
import { modes } from '#common/modes.ts';
import { addressFields, addressForm, checkBelgianZip } from './address-form.ts';
import { defineAction, definePage } from './texts.ts';

const path = '/account/addresses/new';

export const newAddressPage = definePage({
  path,
  query: z.object({ mode: z.enum(modes).optional() }),

  async show({ visit, query, sent }) {
    const texts = visit.texts.addresses;
    const options = modes.map((value) => ({ value, label: visit.texts.words.modes[value] }));
    const back = html`<a class="button plain" href="${visit.href('/account/addresses', { mode: query.mode })}">${texts.back}</a>`;
    return view({
      title: texts.add,
      body: html`${pageHead({ title: texts.add, actions: back })}
${section(
  texts.address,
  postForm(
    { visit, sent, action: path },
    (
      fields,
    ) => html`${fields.radios({ name: 'mode', label: visit.texts.words.labels.mode, hint: texts.modeHint, options, chosen: [query.mode ?? 'test'] })}
${addressFields(visit, fields, { kind: 'SENDER' })}
${fields.submit({ value: 'create', label: texts.save })}`,
  ),
)}`,
    });
  },
});

export const createAddressAction = defineAction({
  path,
  form: addressForm.extend({ mode: choice(modes) }).check(checkBelgianZip),
  page: newAddressPage,

  async run({ visit, form: { mode, ...request }, now }) {
    await createAddress(callerOf(visit, { organizationId: visit.user.organizationId, mode }), request, now);
    return redirect(visit.href('/account/addresses', { mode, notice: 'addressSaved' }));
  },
});
