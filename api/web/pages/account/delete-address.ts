import { html } from 'hono/html';
import { z } from 'zod';
import { deleteAddress } from '../../../../common/addresses/change-addresses.ts';
import { readAddressOfAnyMode } from '../../../../common/addresses/read-addresses.ts';
import { redirect, view } from '../../answer.ts';
import { defineAction, definePage } from '../../page.ts';
import { postForm } from '../../views/form.ts';
import { pageHead, section } from '../../views/page-parts.ts';
import { postalAddress } from '../../views/postal-address.ts';
import { addressParams } from './address-form.ts';

const path = '/account/addresses/:addressId/delete';

/** Asks once more: what is deleted does not come back. */
export const deleteAddressPage = definePage({
  path,
  access: 'user',
  params: addressParams,

  async show({ visit, params: { addressId }, sent }) {
    const texts = visit.texts.addresses;
    const entry = await readAddressOfAnyMode(visit.user.organizationId, addressId);
    const keep = html`<a class="button plain" href="${visit.href(`/account/addresses/${addressId}`)}">${texts.keep}</a>`;
    const form = postForm(
      { visit, sent, action: `/account/addresses/${addressId}/delete` },
      (fields) =>
        html`<div class="actions">${fields.submit({ value: 'delete', label: texts.delete, kind: 'danger' })}${keep}</div>`,
    );
    return view({
      title: texts.deleteTitle,
      body: html`${pageHead({ title: texts.deleteTitle, lead: texts.deleteHint })}
${section(texts.address, html`${postalAddress(visit, entry)}${form}`)}`,
    });
  },
});

export const deleteAddressAction = defineAction({
  path,
  access: 'user',
  params: addressParams,
  form: z.object({}),
  page: deleteAddressPage,

  async run({ visit, params: { addressId } }) {
    const { organizationId, mode } = await readAddressOfAnyMode(visit.user.organizationId, addressId);
    await deleteAddress({ organizationId, mode }, addressId);
    return redirect(visit.href('/account/addresses', { mode, notice: 'addressDeleted' }));
  },
});
