import { html } from 'hono/html';
import type { fieldSet } from '#api/web/design/fields.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { serviceTypes } from '#common/services.ts';
import { draftForm, type SendScene, sentText } from './send-scene.ts';

/** Renders the choices of a draft, each with its price, in a form that saves them. */
export function optionsStep(scene: SendScene): Markup {
  const { visit, draft, check } = scene;
  const { texts, format } = visit;
  const words = texts.send;
  const { prices, pricedPages, zone } = check;
  const letter = words.basisOf(
    pricedPages ?? 1,
    Math.max(1, draft.recipients.length),
    texts.words.zones[zone ?? 'NATIONAL'],
  );
  const isEstimate = pricedPages === null || zone === null;
  const extra = (cents: number | null) => {
    if (cents === 0) return words.included;
    return cents === null ? '' : words.plus(format.money(cents));
  };
  const services = serviceTypes.map((value) => {
    const cents = prices.services[value];
    const price = cents === null ? words.noTariff : format.money(cents);
    return { value, label: texts.words.serviceTypes[value], hint: words.serviceHints[value], price };
  });
  const colors = [
    { value: 'no', label: words.colors.no, price: words.included },
    { value: 'yes', label: words.colors.yes, price: extra(prices.colorCents) },
  ];
  const sides = [
    { value: 'two', label: texts.words.sides.two, price: words.included },
    { value: 'one', label: texts.words.sides.one, price: extra(prices.oneSideCents) },
  ];
  // A refused form keeps what was chosen.
  const chosen = (name: string, stored: string) => sentText(scene, 'options', name) ?? stored;
  const receipt = { value: 'yes', label: words.receiptYes, hint: words.receiptHint, price: extra(prices.receiptCents) };
  return draftForm(
    scene,
    { action: 'options' },
    (fields) => html`<p class="quiet">${isEstimate ? words.estimate(letter) : words.basis(letter)}</p>
${pricedChoices({ name: 'service', type: 'radio', legend: texts.words.labels.service, options: services, chosen: chosen('service', draft.serviceType) })}
${pricedChoices({ name: 'color', type: 'radio', legend: words.printing, options: colors, chosen: chosen('color', draft.color ? 'yes' : 'no') })}
${pricedChoices({ name: 'sides', type: 'radio', legend: texts.words.sides.legend, options: sides, chosen: chosen('sides', draft.doubleSided === false ? 'one' : 'two') })}
${pricedChoices({ name: 'receipt', type: 'checkbox', legend: words.receipt, options: [receipt], chosen: chosen('receipt', draft.acknowledgmentReceipt ? 'yes' : '') })}
${fields.text({ name: 'dropOn', type: 'date', label: words.dropOn, hint: words.dropOnHint, value: draft.dropOn ?? '', isOptional: true })}
${chooseSender(scene, fields)}
<div class="actions" data-without-script>${fields.submit({ value: 'save', label: words.saveOptions, kind: 'plain' })}</div>`,
  );
}

/** Renders the choice of the sender; nothing without entries to choose from. */
function chooseSender({ visit, draft, check, senders }: SendScene, fields: ReturnType<typeof fieldSet>): Markup {
  if (senders.length === 0 && !check.isSenderGone) return nothing;
  const words = visit.texts.send;
  const entries = senders.map(({ _id: value, label, name, line1, zip, city }) => ({
    value,
    label: [label, name, line1, `${zip} ${city}`].filter((part) => part !== null).join(', '),
  }));
  // An entry that is gone stays chosen until another one is: the default sender is never a surprise.
  const gone = check.isSenderGone ? [{ value: draft.senderId ?? '', label: words.senderGone }] : [];
  return fields.select({
    ...{ name: 'sender', label: words.from, hint: words.senderHint },
    options: [...gone, { value: '', label: words.defaultSender }, ...entries],
    chosen: [draft.senderId ?? ''],
  });
}

type PricedOption = { value: string; label: string; hint?: string; price: string };
type PricedChoices = {
  name: string;
  type: 'radio' | 'checkbox';
  legend: string;
  options: readonly PricedOption[];
  chosen: string;
};

/** Renders choices as tiles with their price at the right. The price is part of the description. */
function pricedChoices({ name, type, legend, options, chosen }: PricedChoices): Markup {
  return html`<fieldset class="field wide"><legend>${legend}</legend><div class="choices">${options.map(
    ({ value, label, hint, price }) => {
      const id = `send-${name}-${value}`;
      return html`<div class="choice priced"><input type="${type}" name="${name}" value="${value}" id="${id}"${value === chosen ? html` checked` : nothing} aria-describedby="${id}-price${hint === undefined ? '' : ` ${id}-hint`}"><label for="${id}">${label}</label><span class="price" id="${id}-price">${price}</span>${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>`;
    },
  )}</div></fieldset>`;
}
