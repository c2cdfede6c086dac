import { html } from 'hono/html';
import { wrongSoundPath } from '#api/web/design/assets.ts';
import { postForm } from '#api/web/design/form.ts';
import { type IconName, icon } from '#api/web/design/icon.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { pageHead } from '#api/web/design/page-parts.ts';
import { type View, view } from '#api/web/framework/answer.ts';
import { noForm } from '#api/web/framework/forms/sent-form.ts';
import { pagePolicy } from '#api/web/framework/security-headers.ts';
import type { Visit } from '#api/web/framework/visit.ts';
import { type ItemMark, itemMarks } from '#common/production/operator/mark-item.ts';
import type { ScannedMark } from '#common/production/operator/parse-scan.ts';
import { countBatchItems } from '#common/production/operator/read-batches.ts';
import type { ScanRecorded } from '#common/production/operator/record-scan.ts';
import { batchPath, itemPath, pressPath, scanPath } from './press-parts.ts';

/** What is recorded with each scan, until the operator chooses something else. */
export type ScanSettings = { mark: ItemMark; batchId: string | undefined; reason: string };

/** What became of the last scan. */
export type Band = { kind: 'success' | 'warning' | 'danger' | 'waiting'; title: string; text: Markup | string };

const icons: Record<Band['kind'], IconName> = {
  success: 'check',
  warning: 'info',
  danger: 'alert',
  waiting: 'printer',
};
const markNames: Record<ItemMark, string> = {
  printed: 'Printed',
  posted: 'Handed in',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** Returns the band before the first scan. */
export function waitingBand({ mark }: ScanSettings): Band {
  return { kind: 'waiting', title: 'Ready', text: `Each scan is recorded as: ${markNames[mark].toLowerCase()}.` };
}

/** Returns the band of a wrong scan, with what to do. */
export function wrongBand(message: string): Band {
  return { kind: 'danger', title: 'Wrong scan', text: message };
}

/** Returns the band of a scan that was recorded now or before. */
export function recordedBand(
  { href, texts }: Visit,
  { mark }: ScanSettings,
  { isNew, item, scanned }: ScanRecorded & { scanned: ScannedMark | null },
): Band {
  const sheet =
    scanned?.kind === 'item' && scanned.sheet !== null ? `, sheet ${scanned.sheet} of ${scanned.sheets}` : '';
  const text = html`<a href="${href(itemPath(item.itemId))}"><code>${item.itemId}</code></a>${sheet}`;
  if (isNew) return { kind: 'success', title: mark === 'failed' ? 'Recorded as failed' : markNames[mark], text };
  const before = texts.words.statuses[item.status].toLowerCase();
  return { kind: 'warning', title: `Already ${before}`, text: html`${text}. Nothing has changed.` };
}

/** Renders the page, ready for the next scan. */
export async function showScan(visit: Visit, settings: ScanSettings, band: Band, status = 200): Promise<View> {
  const { batchId } = settings;
  const lead = batchId === undefined ? 'Items of any batch.' : await batchLead(visit, batchId, settings.mark);
  return view({
    title: 'Scan items',
    status,
    headers: { 'Content-Security-Policy': pagePolicy({ hasSound: true }) },
    body: html`${pageHead({ title: 'Scan items', actions: backLink(visit, batchId) })}
${bandMarkup(band)}
${scanForm(visit, settings, band)}
<p>${lead}</p>
${markLinks(visit, settings)}`,
  });
}

function backLink({ href }: Visit, batchId: string | undefined): Markup {
  return batchId === undefined
    ? html`<a class="button plain" href="${href(pressPath)}">All batches</a>`
    : html`<a class="button plain" href="${href(batchPath(batchId))}">The batch</a>`;
}

function bandMarkup({ kind, title, text }: Band): Markup {
  const role = kind === 'danger' ? 'alert' : 'status';
  // Browsers that do not allow sounds leave the colour.
  const sound = kind === 'danger' ? html`<audio src="${wrongSoundPath}" autoplay></audio>` : nothing;
  return html`<div class="band ${kind}" role="${role}">${icon(icons[kind])}<div><p class="band-title">${title}</p><p>${text}</p></div>${sound}</div>`;
}

function scanForm(visit: Visit, { mark, batchId, reason }: ScanSettings, { kind }: Band): Markup {
  const isReasonFirst = mark === 'failed' && reason === '';
  const focus = html` autofocus`;
  const reasonField = html`<div class="field"><label for="scan-reason">They failed because</label>
<p class="hint" id="scan-reason-hint">Their senders see this. Each item that you scan is refunded. You cannot undo it.</p>
<input type="text" id="scan-reason" name="reason" value="${reason}" maxlength="255" autocomplete="off" aria-describedby="scan-reason-hint"${isReasonFirst ? focus : nothing}></div>`;
  return postForm(
    { visit, sent: noForm, action: scanPath },
    (fields) => html`${fields.hidden('mark', mark)}${batchId === undefined ? nothing : fields.hidden('batch', batchId)}
${mark === 'failed' ? reasonField : nothing}
<div class="field scan-field"><label for="scan-code">${kind === 'waiting' ? 'Scan the mark of a sheet' : 'Scan the next one'}</label>
<input type="text" id="scan-code" name="code" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="done"${isReasonFirst ? nothing : focus}></div>
<button class="button plain">Record as ${markNames[mark].toLowerCase()}</button>`,
  );
}

function markLinks({ href }: Visit, { mark, batchId }: ScanSettings): Markup {
  const link = (each: ItemMark) =>
    html`<li><a href="${href(scanPath, { mark: each, batch: batchId })}"${each === mark ? html` aria-current="page"` : nothing}>${markNames[each]}</a></li>`;
  return html`<nav aria-label="What is recorded"><p class="quiet">What each scan is recorded as</p><ul class="scan-marks">${itemMarks.map(link)}</ul></nav>`;
}

/** Says how far the batch is, to see when the last item is scanned. */
async function batchLead({ format }: Visit, batchId: string, mark: ItemMark): Promise<Markup> {
  const { queued, printed, posted, delivered, failed } = await countBatchItems(batchId);
  const total = queued + printed + posted + delivered;
  const reached = { printed: total - queued, posted: posted + delivered, delivered, failed }[mark];
  const of = mark === 'failed' ? total + failed : total;
  return html`${format.number(reached)} of ${format.number(of)} items of <code>${batchId}</code> ${mark === 'failed' ? 'have failed' : `are ${markNames[mark].toLowerCase()}`}.`;
}
