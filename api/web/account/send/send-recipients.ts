import { html } from 'hono/html';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { postalAddress } from '#api/web/design/postal-address.ts';
import { homeCountry } from '#common/countries.ts';
import type { DraftRecipient, PastedAddress } from '#common/drafts/draft.model.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { checkBelgianZip, postalFields, postalForm } from '../addresses/address-form.ts';
import { bookSearch } from './send-book.ts';
import { draftButton, draftForm, draftHref, refusal, type SendScene, sendPath } from './send-scene.ts';

/** Renders the recipients of a draft and the three ways to add one. */
export function recipientsStep(scene: SendScene, book: Markup): Markup {
  const { visit, draft } = scene;
  const words = visit.texts.send;
  const { recipients, pasted } = draft;
  const buttons = ['pick', 'confirm-all', 'leave-out', 'remove'].map((name) => `recipients/${name}`);
  const isEdited = recipients.some(({ recipientId }) => recipientId === scene.editedId);
  // The address may have been confirmed, or the recipient removed, in another tab.
  const gone = [...(pasted[0] ? [] : ['recipients/confirm']), ...(isEdited ? [] : ['recipients/change'])];
  return html`${refusal(scene, [...buttons, ...gone])}
${mixedZones(scene)}
${senderFault(scene)}
${recipients.length === 0 ? html`<p class="quiet">${words.noRecipients}</p>` : html`<ul class="send-recipients" aria-label="${words.recipientList}">${recipients.map((recipient, index) => oneRecipient(scene, recipient, index))}</ul>`}
${pasted[0] ? waiting(scene, pasted[0], pasted.length) : nothing}
${waysToAdd(scene, book)}
<p class="quiet">${words.eachGets}</p>`;
}

function mixedZones({ visit, draft: { recipients }, check }: SendScene): Markup {
  if (recipients.length === 0 || check.zone !== null) return nothing;
  const words = visit.texts.send;
  const abroad = recipients.filter(({ country }) => country !== homeCountry).length;
  return notice('danger', html`<p class="notice-title">${words.mixedTitle}</p><p>${words.mixedHint(abroad)}</p>`);
}

function senderFault({ visit, check: { addressProblems } }: SendScene): Markup {
  const isFaulty = addressProblems.some(({ recipientIndex }) => recipientIndex === null);
  return isFaulty ? notice('danger', html`<p>${visit.texts.send.senderProblem}</p>`) : nothing;
}

function oneRecipient(scene: SendScene, recipient: DraftRecipient, index: number): Markup {
  const { visit, draft, check, editedId } = scene;
  const words = visit.texts.send;
  const { recipientId, name } = recipient;
  if (editedId === recipientId) return html`<li class="editing">${editForm(scene, recipient)}</li>`;
  const problems = check.addressProblems.filter(({ recipientIndex }) => recipientIndex === index);
  const isFaulty = problems.some(({ isSmall }) => !isSmall);
  const fields = visit.format.list(problems.map(({ field }) => visit.texts.addresses[field]));
  const edit = `${visit.href(sendPath, { draft: draft._id, edit: recipientId })}#recipients`;
  return html`<li${isFaulty ? html` class="wrong"` : nothing}>${postalAddress(visit, recipient)}
${isFaulty ? html`<p class="error">${words.addressProblem(fields)}</p>` : nothing}${problems.length > 0 && !isFaulty ? html`<p class="quiet">${words.addressSmall}</p>` : nothing}
<div class="moves"><a class="button quiet" href="${edit}" aria-label="${words.editOf(name)}">${words.edit}</a>${draftButton(
    scene,
    {
      action: 'recipients/remove',
      label: words.remove,
      describedBy: words.removeOf(name),
      hidden: { recipient: recipientId },
    },
    'quiet',
  )}</div></li>`;
}

function editForm(scene: SendScene, recipient: DraftRecipient): Markup {
  const { visit, draft } = scene;
  const words = visit.texts.send;
  return draftForm(
    scene,
    { action: 'recipients/change' },
    (fields) => html`<h3>${words.editTitle}</h3>${fields.hidden('recipient', recipient.recipientId)}
<div class="address-fields">${postalFields(visit, fields, recipient)}</div>
<div class="actions">${fields.submit({ value: 'change', label: words.saveChange })}<a class="button plain" href="${draftHref(visit, draft._id, 'recipients')}">${words.cancelEdit}</a></div>`,
  );
}

/** The first pasted address, as it was understood, to confirm or correct. */
function waiting(scene: SendScene, pasted: PastedAddress, count: number): Markup {
  const { visit, draft } = scene;
  const { format, texts } = visit;
  const words = texts.send;
  const title = count === 1 ? words.understood : words.understoodOf(format.number(1), format.number(count));
  const canAddAll = count > 1 && draft.pasted.every((each) => completeAddress(each) !== null);
  const form = draftForm(
    scene,
    { action: 'recipients/confirm' },
    (fields) => html`${fields.hidden('pasted', pasted.pastedId)}
<div class="address-fields">${postalFields(visit, fields, pasted, words.unknownCountry)}</div>
${fields.submit({ value: 'confirm', label: words.confirmPasted })}`,
  );
  return html`<div class="understood" id="understood"><h3>${title}</h3><p>${words.understoodHint}</p>
<div class="original"><p class="quiet">${words.original}</p><p class="pasted-text">${pasted.text}</p></div>
${form}
<div class="actions">${canAddAll ? draftButton(scene, { action: 'recipients/confirm-all', label: words.confirmAll(count) }) : nothing}${draftButton(scene, { action: 'recipients/leave-out', label: words.discardPasted, hidden: { pasted: pasted.pastedId } })}</div></div>`;
}

function waysToAdd(scene: SendScene, book: Markup): Markup {
  const { visit, draft, sent, search } = scene;
  const words = visit.texts.send;
  const isRefused = (action: string) => sent.path === `${sendPath}/${action}`;
  const isFirst = draft.recipients.length === 0 && draft.pasted.length === 0;
  const isTyping = isRefused('recipients') || (isFirst && search === '' && !isRefused('recipients/paste'));
  return html`<div class="ways">
${way('type', words.typed, typeForm(scene), isTyping)}
${way('paste', words.pasted, pasteForm(scene), isRefused('recipients/paste'))}
${way('book', words.picked, html`${bookSearch(scene)}<div data-found>${book}</div>`, search !== '')}
</div>`;
}

/** Only one is open at a time. */
function way(id: string, title: string, content: Markup, isOpen: boolean): Markup {
  return html`<details id="way-${id}" name="way"${isOpen ? html` open` : nothing}><summary>${title}</summary>${content}</details>`;
}

function typeForm(scene: SendScene): Markup {
  const { visit } = scene;
  const words = visit.texts.send;
  return draftForm(
    scene,
    { action: 'recipients' },
    (fields) => html`<div class="address-fields">${postalFields(visit, fields, {})}</div>
${fields.checkboxes({ name: 'save', label: words.saveToBook, options: [{ value: 'yes', label: words.saveToBookYes }] })}
${fields.submit({ value: 'add', label: words.addRecipient })}`,
  );
}

function pasteForm(scene: SendScene): Markup {
  const words = scene.visit.texts.send;
  return draftForm(
    scene,
    { action: 'recipients/paste' },
    (fields) => html`${fields.longText({ name: 'text', label: words.pasteLabel, hint: words.pasteHint })}
${fields.submit({ value: 'paste', label: words.pasteSubmit, kind: 'plain' })}`,
  );
}

/** Returns a pasted address if nothing is missing or wrong in it, else null. */
export function completeAddress(pasted: PastedAddress): PostalAddress | null {
  const { data } = postalForm.check(checkBelgianZip).safeParse({ ...pasted, line2: pasted.line2 ?? '' });
  return data ?? null;
}
