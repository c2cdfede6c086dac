import { html } from 'hono/html';
import type { Answer } from '#api/web/framework/answer.ts';
import { actorOf, type VisitOf } from '#api/web/visit/visit.ts';
import { conflict } from '#common/errors.ts';
import { type ReturnReason, returnReasons } from '#common/mail-jobs/model/returned.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { recordReturnScan } from '#common/production/operator/record-return-scan.ts';
import { type Band, itemLink, type ScanSettings, showScan, waitingBand } from './scan-view.ts';

/** Records that the scanned copy came back, with the reason that was chosen once. */
export async function scanReturn(
  visit: VisitOf<'admin'>,
  settings: ScanSettings,
  { code, context }: { code: string; context: { hints: Hints; at: Date } },
): Promise<Answer> {
  const reason = checkReason(settings.reason);
  if (code.trim() === '') return await showScan(visit, settings, waitingBand(visit, settings));
  const { itemId, returned, isNew } = await recordReturnScan({ code, reason, by: actorOf(visit) }, context);
  const { texts, format } = visit;
  const link = itemLink(visit, itemId);
  const because = texts.words.returnReasons[returned.reason];
  const band: Band = isNew
    ? { kind: 'success', title: 'Returned', text: html`${link}: ${because}` }
    : {
        kind: 'warning',
        title: 'Already returned',
        text: html`${link}: ${because}, recorded ${format.moment(returned.at)}. Nothing has changed.`,
      };
  return await showScan(visit, settings, band);
}

/** Returns the reason of a return. Throws CONFLICT with what to do. */
function checkReason(reason: string): ReturnReason {
  const known = returnReasons.find((each) => each === reason);
  if (known) return known;
  throw conflict('Choose first why the letters came back. Then scan this one again.');
}
