import { html } from 'hono/html';
import { z } from 'zod';
import { modeBadge } from '#api/web/design/badge.ts';
import { buttonForm, postForm } from '#api/web/design/form.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { creatorFacts, facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import type { AddressRecord } from '#common/addresses/address.model.ts';
import { changeAddress } from '#common/addresses/change-addresses.ts';
import { readAddressOfAnyMode } from '#common/addresses/read-addresses.ts';
import { addressFields, addressForm, addressParams, checkBelgianZip } from './address-form.ts';
import { defineAction, definePage, type Visit } from './texts.ts';

const path = '/account/addresses/:addressId';

export const addressPage = definePage({
  path,
  params: addressParams,

  async show({ visit, params: { addressId }, sent }) {
    const texts = visit.texts.addresses;
    const entry = await readAddressOfAnyMode(visit.user.organizationId, addressId);
    const title = texts.editTitle(entry.name);
    const action = `/account/addresses/${addressId}`;
    const back = html`<a class="button plain" href="${visit.href('/account/addresses', { mode: entry.mode })}">${texts.back}</a>`;
    const known = facts([
      [visit.texts.words.labels.mode, modeBadge(visit.texts, entry.mode)],
      [texts.id, html`<code>${addressId}</code>`],
      ...creatorFacts(visit, entry.createdBy),
    ]);
    return view({
      title,
      body: html`${pageHead({ title, actions: back })}
${section(
  texts.address,
  html`${known}${postForm(
    { visit, sent, action },
    (fields) => html`${addressFields(visit, fields, entry)}${fields.submit({ value: 'save', label: texts.save })}`,
  )}`,
)}
${section(texts.defaultTitle, ofDefault(visit, entry))}
${section(texts.deleteHead, html`<p>${texts.deleteHint}</p><p><a class="button danger" href="${visit.href(`${action}/delete`)}">${texts.delete}</a></p>`)}`,
    });
  },
});

function ofDefault(visit: Visit, { _id, kind, isDefault }: AddressRecord): Markup {
  const texts = visit.texts.addresses;
  if (isDefault) return html`<p>${texts.isDefaultNow} ${texts.defaultHint[kind]}</p>`;
  const action = `/account/addresses/${_id}/default`;
  const button = buttonForm({ visit, action }, { value: 'default', label: texts.makeDefault, kind: 'plain' });
  return html`<p>${texts.defaultHint[kind]}</p>${button}`;
}

export const changeAddressAction = defineAction({
  path,
  params: addressParams,
  form: addressForm.check(checkBelgianZip),
  page: addressPage,

  async run({ visit, params: { addressId }, form, now }) {
    const { organizationId, mode } = await readAddressOfAnyMode(visit.user.organizationId, addressId);
    await changeAddress({ organizationId, mode }, addressId, form, now);
    return redirect(visit.href('/account/addresses', { mode, notice: 'addressSaved' }));
  },
});

export const makeDefaultAction = defineAction({
  path: `${path}/default`,
  params: addressParams,
  form: z.object({}),
  page: addressPage,

  async run({ visit, params: { addressId }, now }) {
    const { organizationId, mode } = await readAddressOfAnyMode(visit.user.organizationId, addressId);
    await changeAddress({ organizationId, mode }, addressId, { isDefault: true }, now);
    return redirect(visit.href(`/account/addresses/${addressId}`, { notice: 'addressIsDefault' }));
  },
});
