import { html } from 'hono/html';
import { type Answer, redirect } from '#api/web/framework/answer.ts';
import { actorOf, type Visit, type VisitOf } from '#api/web/visit/visit.ts';
import type { MailItem } from '#common/mail-jobs/model/mail-job.model.ts';
import type { TrackingScheme } from '#common/mail-jobs/model/tracking.ts';
import {
  findItemForLabel,
  findLeft,
  mayBeLabel,
  recordLabelScan,
} from '#common/production/operator/record-label-scan.ts';
import { scanPath } from './press-parts.ts';
import { type Band, itemLink, refusalOf, type ScanSettings, showScan, waitingBand, wrongBand } from './scan-view.ts';

const schemeNames: Record<TrackingScheme, string> = {
  s10: 'S10, check digit right',
  'bpost-30': 'bpost, 30 digits',
  'bpost-jjbea': 'bpost, JJBEA and 18 digits',
  other: 'a number of no known form: compare it with the label',
};

/**
 * Shows the page of labels. The item that waits for its label is named in the URL, so it still waits after a reload. It is
 * read and checked each time, like a scanned one. `leftId` waited before.
 */
export async function openLabelScan(
  visit: Visit,
  { waitingId, ...settings }: ScanSettings,
  leftId: string | undefined,
): Promise<Answer> {
  if (waitingId === undefined) return await showScan(visit, settings, waitingBand(visit, settings));
  try {
    const { item } = await findItemForLabel(waitingId, settings.batchId);
    const left = await findLeft(leftId, waitingId);
    return await showScan(visit, { ...settings, waitingId }, labelBand(visit, item, left));
  } catch (error) {
    const { message, status } = refusalOf(error);
    return await showScan(visit, settings, wrongBand(message), status);
  }
}

/** Records a label, or opens the page at which the scanned item waits for its own. */
export async function scanLabel(
  visit: VisitOf<'admin'>,
  { waitingId, ...settings }: ScanSettings,
  { code, at }: { code: string; at: Date },
): Promise<Answer> {
  const { mark, batchId } = settings;
  // Enter without a scan.
  if (code.trim() === '') return redirect(visit.href(scanPath, { mark, batch: batchId, item: waitingId }));
  try {
    const scanned = await recordLabelScan({ code, waitingId, batchId, by: actorOf(visit) }, at);
    if (scanned.kind === 'waits') {
      const left = scanned.leftId ?? undefined;
      return redirect(visit.href(scanPath, { mark, batch: batchId, item: scanned.item.itemId, left }));
    }
    const { item, tracking, isNew } = scanned;
    const number = html`<code>${tracking.number}</code> (${schemeNames[tracking.scheme]})`;
    const text = html`${itemLink(visit, item.itemId)} has ${number}.`;
    const band: Band = isNew
      ? { kind: 'success', title: 'Label recorded', text }
      : { kind: 'warning', title: 'Recorded before', text: html`${text} Nothing has changed.` };
    return await showScan(visit, settings, band);
  } catch (error) {
    const { message, status } = refusalOf(error);
    const stillWaits = mayBeLabel(code) ? waitingId : undefined;
    return await showScan(visit, { ...settings, waitingId: stillWaits }, wrongBand(message), status);
  }
}

/** Returns the band of an item that waits for its label: amber when the operator should look twice. */
function labelBand(visit: Visit, item: MailItem, leftId: string | null): Band {
  const { itemId, zip, country, tracking } = item;
  const letter = html`${itemLink(visit, itemId)}, ${visit.format.country(country)} ${zip}`;
  if (tracking) {
    const text = html`${letter} has <code>${tracking.number}</code>. Scan its label to compare, or the mark of the next letter.`;
    return { kind: 'warning', title: 'It has a label already', text };
  }
  if (leftId !== null) {
    const text = html`${letter} waits now. ${itemLink(visit, leftId)} has no label yet: scan its mark again later.`;
    return { kind: 'warning', title: 'Another letter: scan its label', text };
  }
  return { kind: 'next', title: 'Now scan its label', text: html`${letter} waits for its label.` };
}
