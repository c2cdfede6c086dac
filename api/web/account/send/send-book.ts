import { html } from 'hono/html';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { postalAddress } from '#api/web/design/postal-address.ts';
import type { AddressRecord } from '#common/addresses/address.model.ts';
import { listAddresses } from '#common/addresses/read-addresses.ts';
import type { CursorCodec } from '#common/cursor.ts';
import { isSameAddress } from '#common/drafts/draft-changes.ts';
import { draftButton, type SendScene, sendPath } from './send-scene.ts';

/** Most entries of the address book that are shown at a time. */
const maxShown = 8;

/** Renders the entries of the address book that match the search, each with a button that adds it. */
export async function bookEntries(scene: SendScene, cursors: CursorCodec): Promise<Markup> {
  const { visit, draft, search } = scene;
  const words = visit.texts.send;
  const filter = { kind: 'RECIPIENT', limit: maxShown, ...(search !== '' && { q: search }) } as const;
  const { rows, nextCursor } = await listAddresses(draft, filter, cursors);
  if (rows.length === 0) return html`<p class="quiet">${search === '' ? words.bookEmpty : words.bookNoMatch}</p>`;
  return html`<ul class="book">${rows.map((entry) => oneEntry(scene, entry))}</ul>${nextCursor === null ? nothing : html`<p class="quiet">${words.bookMore}</p>`}`;
}

function oneEntry(scene: SendScene, entry: AddressRecord): Markup {
  const words = scene.visit.texts.send;
  const isAdded = scene.draft.recipients.some((recipient) => isSameAddress(recipient, entry));
  const add = draftButton(scene, {
    action: 'recipients/pick',
    label: words.pick,
    describedBy: words.pickOf(entry.name),
    hidden: { address: entry._id },
  });
  return html`<li>${postalAddress(scene.visit, entry)}${isAdded ? html`<span class="quiet">${words.added}</span>` : add}</li>`;
}

/** Renders the search in the address book. It submits by GET, so it needs no script and changes nothing. */
export function bookSearch({ visit, draft, search }: SendScene): Markup {
  const words = visit.texts.send;
  return html`<form method="get" action="${visit.href(sendPath)}#recipients" role="search" class="book-search" data-search>
${
  // A draft that is not stored yet cannot be opened.
  draft.revision === 0
    ? html`<input type="hidden" name="mode" value="${draft.mode}">`
    : html`<input type="hidden" name="draft" value="${draft._id}">`
}
<div class="field"><label for="book-search">${words.search}</label><input type="search" id="book-search" name="q" value="${search}" maxlength="100" autocomplete="off"></div>
<button class="button plain">${words.searchSubmit}</button>
</form>`;
}
