import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { download } from '#api/web/framework/answer.ts';
import { findDraft } from '#common/drafts/save-draft.ts';
import { notFound } from '#common/errors.ts';
import { readPreflight } from '#common/mail-jobs/preflight/start-preflight.ts';
import { ObjectMissingError } from '#common/platform/s3/object-store-errors.ts';
import { letterFindings } from '../letter/letter-findings.ts';
import { draftHref, type SendScene, sendPath } from './send-scene.ts';
import { definePage } from './texts.ts';

/** Size in pixels of an A4 page at 100 dpi. */
const [width, height] = [827, 1169];
const maxPictureBytes = 16 * 1024 * 1024;

/** Page 1 of a draft with the window of the envelope and the findings, as a PNG image. */
export const sendPicturePage = definePage({
  path: `${sendPath}/:draftId/picture`,
  params: z.object({ draftId: idOf('drf') }),
  query: z.object({ check: idOf('pf').optional() }),
  isFile: true,

  async show({ visit, params: { draftId }, query: { check }, now }, { store }) {
    const { organizationId } = visit.user;
    const draft = await findDraft({ organizationId, draftId }, now);
    if (!draft || check === undefined) throw notFound();
    const { result } = await readPreflight(draft, check, now);
    if (!result?.overlayKey) throw notFound();
    const body = await store.get({ key: result.overlayKey, maxBytes: maxPictureBytes }).catch((error: unknown) => {
      throw error instanceof ObjectMissingError ? notFound() : error;
    });
    return download({ contentType: 'image/png', filename: null, body });
  },
});

/** Renders the first page in its envelope, and what was found beside it. */
export function previewStep({ visit, draft, check }: SendScene): Markup {
  const { texts, format } = visit;
  const words = texts.send;
  const { preflight, filesState } = check;
  const says = {
    none: words.previewNone,
    missing: words.previewMissing,
    running: words.previewRunning,
    busy: words.previewBusy,
    unavailable: words.previewUnavailable,
    done: words.previewFailed,
  }[filesState];
  const canRefresh = ['running', 'busy', 'unavailable'].includes(filesState);
  const result = preflight?.result;
  if (!result) {
    return html`<div class="sheet-of-paper${filesState === 'running' ? ' busy' : ''}"${canRefresh ? html` data-poll` : nothing}><p role="status">${says}</p>${
      canRefresh
        ? html`<a class="button plain" href="${draftHref(visit, draft._id, 'files')}" data-without-script>${words.previewAgain}</a>`
        : nothing
    }</div>`;
  }
  const { facts, placement, findings, overlayKey } = result;
  const source = visit.href(`${sendPath}/${draft._id}/picture`, { check: preflight._id });
  const picture =
    overlayKey === null
      ? html`<div class="sheet-of-paper"><p>${says}</p></div>`
      : html`<a class="page-picture" href="${source}"><img src="${source}" alt="${words.previewAlt}" width="${width}" height="${height}" decoding="async"></a>`;
  const paper =
    facts === null || placement === null
      ? nothing
      : html`<p class="paper"><strong>${words.paper(facts.pages, facts.sheets)}</strong><br>${texts.words.sides[facts.doubleSided === false ? 'one' : 'two']}<br>${words.envelope(facts.envelope, format.number(facts.weightGrams))}<br>${words.addressOn[placement]}</p>`;
  return html`<div class="in-envelope">${picture}<div class="beside">${paper}<h4>${texts.findings.title}</h4>${letterFindings(visit, findings)}</div></div>`;
}
