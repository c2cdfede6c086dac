import { z } from 'zod';
import { definePage } from '#api/web/account/bulk/texts.ts';
import { pageNumber, pictureLimit } from '#api/web/account/letter/letter-pages.ts';
import { download, redirect } from '#api/web/framework/answer.ts';
import type { WebServices } from '#api/web/framework/page.ts';
import type { VisitOf } from '#api/web/visit/visit.ts';
import { findRowLetter } from '#common/bulk/preview/row-letter.ts';
import { readBulkOfAnyMode } from '#common/bulk/read/read-bulk.ts';
import { takeOrRefuse } from '#common/platform/rate-limit/gcra-limiter.ts';
import { bulkParams, bulkPath } from '../bulk-parts.ts';

/** Path parameters of the pages about one row. */
export const rowParams = bulkParams.extend({
  row: z
    .string()
    .regex(/^[1-9]\d{0,6}$/)
    .transform(Number),
});
type RowParams = z.output<typeof rowParams>;

/** Returns the path of a row, or of a file of it. */
export const rowPath = (bulkId: string, row: number, file = '') => `${bulkPath}/${bulkId}/rows/${row}${file}`;

async function findLetter(visit: VisitOf<'user'>, { bulkId, row }: RowParams, services: WebServices, at: Date) {
  const { organizationId } = visit.user;
  const bulk = await readBulkOfAnyMode(organizationId, bulkId);
  await takeOrRefuse(services.limiter, { key: `picture:${organizationId}`, ...pictureLimit });
  return await findRowLetter(bulk, row, services, at);
}

/** A page of the letter of a row, as a PNG image with the window of the envelope. */
export const rowPicturePage = definePage({
  path: `${bulkPath}/:bulkId/rows/:row/pages/:page`,
  params: rowParams.extend({ page: pageNumber }),
  isFile: true,
  async show({ visit, params, now }, services) {
    const letter = await findLetter(visit, params, services, now);
    const picture = { itemId: undefined, page: params.page, hasWindowFrame: true };
    const body = await services.proofs.drawPage(letter, picture);
    return download({ contentType: 'image/png', filename: null, body });
  },
});

/** The letter of a row as a PDF. */
export const rowPdfPage = definePage({
  path: `${bulkPath}/:bulkId/rows/:row/pdf`,
  params: rowParams,
  isFile: true,
  async show({ visit, params, now }, services) {
    const letter = await findLetter(visit, params, services, now);
    return redirect((await services.proofs.signUnsent(letter, now)).url);
  },
});
