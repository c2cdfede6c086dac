import { html } from 'hono/html';
import { wrongSoundPath } from '#api/web/design/assets.ts';
import { postForm } from '#api/web/design/form.ts';
import { type IconName, icon } from '#api/web/design/icon.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { pageHead } from '#api/web/design/page-parts.ts';
import { type View, view } from '#api/web/framework/answer.ts';
import { pagePolicy } from '#api/web/framework/security-headers.ts';
import { noForm } from '#api/web/visit/sent-form.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { AppError } from '#common/errors.ts';
import { type ReturnReason, returnReasons } from '#common/mail-jobs/model/returned.ts';
import { countBatchItems } from '#common/production/batches/read-batch-jobs.ts';
import { type ItemMark, itemMarks } from '#common/production/operator/mark-item.ts';
import type { ScannedMark } from '#common/production/operator/parse-scan.ts';
import { countLabels } from '#common/production/operator/read-batches.ts';
import type { ScanRecorded } from '#common/production/operator/record-scan.ts';
import { batchPath, itemPath, pressPath, scanPath } from './press-parts.ts';

/** What a scan may record. `label`: the mark of a registered letter, then its label. `returned`: a copy that came back. */
export const scanMarks = [...itemMarks, 'label', 'returned'] as const;
type ScanMark = (typeof scanMarks)[number];

/** What is recorded with each scan, until the operator chooses something else. */
export type ScanSettings = {
  mark: ScanMark;
  batchId: string | undefined;
  /** Why the items failed, as it was typed, or the code why they came back. Empty before it is given. */
  reason: string;
  /** The item that waits for its label. */
  waitingId?: string | undefined;
};

/** Result of the last scan. `next`: first half of a pair. `waiting`: nothing was scanned. */
export type Band = {
  kind: 'success' | 'warning' | 'danger' | 'next' | 'waiting';
  title: string;
  text: Markup | string;
};

const icons: Record<Band['kind'], IconName> = {
  success: 'check',
  warning: 'info',
  danger: 'alert',
  next: 'tag',
  waiting: 'printer',
};
const markNames: Record<ScanMark, string> = {
  printed: 'Printed',
  posted: 'Handed in',
  delivered: 'Delivered',
  failed: 'Failed',
  label: 'Label',
  returned: 'Returned',
};

/** Returns the band before the first scan. */
export function waitingBand({ texts }: Visit, { mark, reason }: ScanSettings): Band {
  if (mark === 'label') return { kind: 'waiting', title: 'Ready', text: 'Scan the mark of a letter, then its label.' };
  if (mark !== 'returned') {
    return { kind: 'waiting', title: 'Ready', text: `Each scan is recorded as: ${markNames[mark].toLowerCase()}.` };
  }
  const code = returnReasons.find((each) => each === reason);
  if (code) {
    return {
      kind: 'waiting',
      title: 'Ready',
      text: `Each scan is recorded as returned: ${texts.words.returnReasons[code]}.`,
    };
  }
  return { kind: 'waiting', title: 'Choose the reason', text: 'Then scan all letters that came back for it.' };
}

/** Returns the band of a wrong scan, with what to do. */
export function wrongBand(message: string): Band {
  return { kind: 'danger', title: 'Wrong scan', text: message };
}

/** Returns the band of a scan that was recorded now or before. */
export function recordedBand(
  visit: Visit,
  { mark }: { mark: ItemMark },
  { isNew, item, scanned }: ScanRecorded & { scanned: ScannedMark | null },
): Band {
  const sheet =
    scanned?.kind === 'item' && scanned.sheet !== null ? `, sheet ${scanned.sheet} of ${scanned.sheets}` : '';
  const text = html`${itemLink(visit, item.itemId)}${sheet}`;
  if (isNew) return { kind: 'success', title: mark === 'failed' ? 'Recorded as failed' : markNames[mark], text };
  const before = visit.texts.words.statuses[item.status].toLowerCase();
  return { kind: 'warning', title: `Already ${before}`, text: html`${text}. Nothing has changed.` };
}

/** Returns the status and the sentence of an error that an operator can do something about. Throws any other. */
export function refusalOf(error: unknown): { message: string; status: number } {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  return { message: error.issues?.[0]?.message ?? error.message, status: error.status };
}

/** Renders the link to the page of an item. */
export function itemLink({ href }: Visit, itemId: string): Markup {
  return html`<a href="${href(itemPath(itemId))}"><code>${itemId}</code></a>`;
}

/** Renders the page, ready for the next scan. */
export async function showScan(visit: Visit, settings: ScanSettings, band: Band, status = 200): Promise<View> {
  const { batchId, mark, reason } = settings;
  // Returned letters are of many batches.
  const lead =
    batchId === undefined || mark === 'returned' ? 'Items of any batch.' : await batchLead(visit, batchId, mark);
  const title = mark === 'label' ? 'Scan labels' : mark === 'returned' ? 'Scan returns' : 'Scan items';
  const reasons = mark === 'returned' ? reasonLinks(visit, settings) : nothing;
  const form = scanForm(visit, settings, band);
  return view({
    title,
    status,
    headers: { 'Content-Security-Policy': pagePolicy({ hasSound: true }) },
    body: html`${pageHead({ title, actions: backLink(visit, batchId) })}
${bandMarkup(band)}
${reason === '' ? html`${reasons}${form}` : html`${form}${reasons}`}
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

function scanForm(visit: Visit, settings: ScanSettings, band: Band): Markup {
  const { mark, batchId, reason, waitingId } = settings;
  const isReasonFirst = mark === 'failed' && reason === '';
  const focus = html` autofocus`;
  const reasonField = html`<div class="field"><label for="scan-reason">They failed because</label>
<p class="hint" id="scan-reason-hint">Their senders see this. Each item that you scan is refunded. You cannot undo it.</p>
<input type="text" id="scan-reason" name="reason" value="${reason}" maxlength="255" autocomplete="off" aria-describedby="scan-reason-hint"${isReasonFirst ? focus : nothing}></div>`;
  return postForm(
    { visit, sent: noForm, action: scanPath },
    (fields) => html`${fields.hidden('mark', mark)}${batchId === undefined ? nothing : fields.hidden('batch', batchId)}
${waitingId === undefined ? nothing : fields.hidden('item', waitingId)}${mark === 'returned' ? fields.hidden('reason', reason) : nothing}
${mark === 'failed' ? reasonField : nothing}
<div class="field scan-field"><label for="scan-code">${scanLabelText(settings, band)}</label>
<input type="text" id="scan-code" name="code" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="done"${isReasonFirst ? nothing : focus}></div>
<button class="button plain">${buttonText(settings)}</button>`,
  );
}

/** Says what is scanned next. */
function scanLabelText({ mark, waitingId }: ScanSettings, { kind }: Band): Markup | string {
  if (waitingId !== undefined)
    return kind === 'danger' ? html`Scan the label of <code>${waitingId}</code>` : 'Scan its label';
  if (mark === 'label') return kind === 'success' ? 'Scan the mark of the next letter' : 'Scan the mark of a letter';
  return kind === 'waiting' ? 'Scan the mark of a sheet' : 'Scan the next one';
}

function buttonText({ mark, waitingId }: ScanSettings): string {
  if (mark !== 'label') return `Record as ${markNames[mark].toLowerCase()}`;
  return waitingId === undefined ? 'Go on to its label' : 'Record its label';
}

function markLinks({ href }: Visit, { mark, batchId }: ScanSettings): Markup {
  const link = (each: ScanMark) =>
    choiceLink(href(scanPath, { mark: each, batch: batchId }), markNames[each], each === mark);
  return html`<nav aria-label="What is recorded"><p class="quiet">What each scan is recorded as</p><ul class="scan-marks">${scanMarks.map(link)}</ul></nav>`;
}

function reasonLinks({ href, texts }: Visit, { mark, batchId, reason }: ScanSettings): Markup {
  const link = (each: ReturnReason) =>
    choiceLink(
      href(scanPath, { mark, batch: batchId, reason: each }),
      texts.words.returnReasons[each],
      each === reason,
    );
  return html`<nav aria-label="Why they came back"><p class="quiet">Why they came back, as the post has marked on them</p><ul class="scan-marks reasons">${returnReasons.map(link)}</ul></nav>`;
}

function choiceLink(url: string, name: string, isChosen: boolean): Markup {
  const text = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  return html`<li><a href="${url}"${isChosen ? html` aria-current="page"` : nothing}>${text}</a></li>`;
}

/** Says how far the batch is, to see when the last item is scanned. */
async function batchLead({ format }: Visit, batchId: string, mark: Exclude<ScanMark, 'returned'>): Promise<Markup> {
  if (mark === 'label') {
    const { total, labelled } = await countLabels(batchId);
    return html`${format.number(labelled)} of ${format.number(total)} items of <code>${batchId}</code> have a label.`;
  }
  const { queued, printed, posted, delivered, failed } = await countBatchItems(batchId);
  const total = queued + printed + posted + delivered;
  const reached = { printed: total - queued, posted: posted + delivered, delivered, failed }[mark];
  const of = mark === 'failed' ? total + failed : total;
  return html`${format.number(reached)} of ${format.number(of)} items of <code>${batchId}</code> ${mark === 'failed' ? 'have failed' : `are ${markNames[mark].toLowerCase()}`}.`;
}
