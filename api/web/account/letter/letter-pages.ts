import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { download } from '#api/web/framework/answer.ts';
import { notFound } from '#common/errors.ts';
import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { countCopyPages } from '#common/mail-jobs/proof/item-copy.ts';
import { canBePictured } from '#common/mail-jobs/proof/proofs.ts';
import { readMailJobInAnyMode } from '#common/mail-jobs/read/read-mail-jobs.ts';
import { takeOrRefuse } from '#common/platform/rate-limit/gcra-limiter.ts';
import { definePage, type Visit } from './texts.ts';

/** Path parameters of the pages about one letter. */
export const letterParams = z.object({ mailJobId: idOf('mj') });

/** A page in a path, from 1. */
export const pageNumber = z
  .string()
  .regex(/^[1-9]\d{0,3}$/)
  .transform(Number);
/** Number of pages shown as images. Further pages are links. */
const maxPictures = 10;
/** Maximum number of links. */
const maxLinks = 190;
/** Size in pixels of an A4 page at 100 dpi, the usual page size. */
export const [width, height] = [827, 1169];
/** Previews per organization and minute, enough for a few letters at once. */
export const pictureLimit = { limit: 120, burst: 60 };

/** A page of a letter as it is printed, as a PNG image. */
export const letterPicturePage = definePage({
  path: '/account/letters/:mailJobId/pages/:page',
  params: letterParams.extend({ page: pageNumber }),
  isFile: true,

  async show({ visit, params: { mailJobId, page } }, { limiter, proofs }) {
    const { organizationId } = visit.user;
    const letter = await readMailJobInAnyMode(organizationId, mailJobId);
    await takeOrRefuse(limiter, { key: `picture:${organizationId}`, ...pictureLimit });
    if (letter.printFile === null) throw notFound();
    // Of the first recipient: the copies of the others differ only in their address and the marks of the sheets.
    const itemId = letter.items[0]?.itemId;
    const body = await proofs.drawPage(letter, { itemId, page, hasWindowFrame: true });
    return download({ contentType: 'image/png', filename: null, body });
  },
});

/** Renders the pages of a letter as lazily loaded images: the first ten, then links. */
export function letterPages(visit: Visit, letter: MailJobRecord): Markup {
  const { texts } = visit;
  const words = texts.letter;
  const { printFile } = letter;
  if (printFile === null) {
    return html`<p class="quiet">${letter.status === 'failed' ? words.noPreviewEver : words.noPreview}</p>`;
  }
  if (printFile.removedAt) return html`<p class="quiet">${words.previewRemoved}</p>`;
  if (!canBePictured(printFile)) return html`<p class="quiet">${words.tooLarge}</p>`;
  const count = countCopyPages(printFile);
  return pagePictures(visit, count, (page) => visit.href(`/account/letters/${letter._id}/pages/${page}`));
}

/** Renders pages whose pictures have these addresses. */
export function pagePictures(visit: Visit, count: number, href: (page: number) => string): Markup {
  const words = visit.texts.letter;
  const numbers = Array.from({ length: Math.min(count, maxPictures + maxLinks) }, (_, index) => index + 1);
  const others = numbers.slice(maxPictures);
  return html`<ul class="pages">${numbers.slice(0, maxPictures).map((page) => {
    const label = words.pageOf(page, count);
    return html`<li><a href="${href(page)}"><img src="${href(page)}" alt="${label}" width="${width}" height="${height}" loading="lazy" decoding="async"><span aria-hidden="true">${visit.format.number(page)}</span></a></li>`;
  })}</ul>${
    others.length === 0
      ? nothing
      : html`<h3>${words.otherPages}</h3><ul class="links">${others.map((page) => html`<li><a href="${href(page)}">${words.pageOf(page, count)}</a></li>`)}</ul>`
  }`;
}
