import { html } from 'hono/html';
import { z } from 'zod';
import { confirmForm } from '#api/web/design/form.ts';
import { pageHead, section } from '#api/web/design/page-parts.ts';
import { postalAddress } from '#api/web/design/postal-address.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { deleteAddress } from '#common/addresses/change-addresses.ts';
import { readAddressOfAnyMode } from '#common/addresses/read-addresses.ts';
import { addressParams } from './address-form.ts';
import { defineAction, definePage } from './texts.ts';

const path = '/account/addresses/:addressId/delete';

/** Asks for confirmation, because deletion is permanent. */
export const deleteAddressPage = definePage({
  path,
  params: addressParams,

  async show({ visit, params: { addressId }, sent }) {
    const texts = visit.texts.addresses;
    const entry = await readAddressOfAnyMode(visit.user.organizationId, addressId);
    const form = confirmForm({
      ...{ visit, sent, action: `/account/addresses/${addressId}/delete` },
      submit: { value: 'delete', label: texts.delete },
      keep: { label: texts.keep, path: `/account/addresses/${addressId}` },
    });
    return view({
      title: texts.deleteTitle,
      body: html`${pageHead({ title: texts.deleteTitle, lead: texts.deleteHint })}
${section(texts.address, html`${postalAddress(visit, entry)}${form}`)}`,
    });
  },
});

export const deleteAddressAction = defineAction({
  path,
  params: addressParams,
  form: z.object({}),
  page: deleteAddressPage,

  async run({ visit, params: { addressId } }) {
    const { organizationId, mode } = await readAddressOfAnyMode(visit.user.organizationId, addressId);
    await deleteAddress({ organizationId, mode }, addressId);
    return redirect(visit.href('/account/addresses', { mode, notice: 'addressDeleted' }));
  },
});
