import { html } from 'hono/html';
import { z } from 'zod';
import { AppError } from '../../../../common/errors.ts';
import type { MailJobRecord } from '../../../../common/mail-jobs/mail-job.model.ts';
import { canBePreviewed } from '../../../../common/mail-jobs/print-previews.ts';
import { readLetter } from '../../../../common/mail-jobs/read-mail-jobs.ts';
import { download } from '../../answer.ts';
import { type Markup, nothing } from '../../markup.ts';
import { definePage } from '../../page.ts';
import type { Visit } from '../../visit.ts';
import { letterParams } from './letter-params.ts';

/** Pictures on the page of a letter; the pages after them are links. */
const maxPictures = 10;
/** Beyond them nobody looks through a letter page by page. */
const maxLinks = 190;
/** A4 at 100 dots per inch: what nearly all pages are. */
const [width, height] = [827, 1169];
/** Pictures one organization may ask for: the pages of a few letters at once. */
const pictureLimit = { limit: 120, burst: 60 };

/** One page of a letter as it is printed, as a picture. */
export const letterPicturePage = definePage({
  path: '/account/letters/:mailJobId/pages/:page',
  access: 'user',
  params: letterParams.extend({
    page: z
      .string()
      .regex(/^[1-9]\d{0,3}$/)
      .transform(Number),
  }),
  isFile: true,

  async show({ visit, params: { mailJobId, page } }, { limiter, printPreviews }) {
    const { organizationId } = visit.user;
    const letter = await readLetter(organizationId, mailJobId);
    const { isAllowed, retryAfterS } = await limiter.take({ key: `picture:${organizationId}`, ...pictureLimit });
    if (!isAllowed) throw new AppError('RATE_LIMITED', { retryAfterS });
    return download({ contentType: 'image/png', filename: null, body: await printPreviews.draw(letter, page) });
  },
});

/** The pages of a letter as pictures, which a browser fetches as they come into sight; of a long one the first ten. */
export function letterPages(visit: Visit, letter: MailJobRecord): Markup {
  const { texts } = visit;
  const words = texts.letter;
  const { printFile } = letter;
  if (printFile === null) {
    return html`<p class="quiet">${letter.status === 'failed' ? words.noPreviewEver : words.noPreview}</p>`;
  }
  if (!canBePreviewed(printFile)) return html`<p class="quiet">${words.tooLarge}</p>`;
  const count = printFile.pageCount;
  const numbers = Array.from({ length: Math.min(count, maxPictures + maxLinks) }, (_, index) => index + 1);
  const href = (page: number) => visit.href(`/account/letters/${letter._id}/pages/${page}`);
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
