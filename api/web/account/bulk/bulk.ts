import { html } from 'hono/html';
import { modeBadge } from '#api/web/design/badge.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { creatorFacts, facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { view } from '#api/web/framework/answer.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { isTableFaultName } from '#common/bulk/file/table-fault.ts';
import type { BulkRecord, BulkState } from '#common/bulk/model/bulk.model.ts';
import { canBePreviewed } from '#common/bulk/preview/row-letter.ts';
import { findRememberedMapping } from '#common/bulk/read/find-remembered-mapping.ts';
import { canStillBeCancelled, listRows, readBulkOfAnyMode, readWarnedRows } from '#common/bulk/read/read-bulk.ts';
import type { CursorCodec } from '#common/cursor.ts';
import { readWallet } from '#common/wallet/wallets.ts';
import { letterFindings } from '../letter/letter-findings.ts';
import { bulkFaults, maxShownRows } from './bulk-faults.ts';
import { bulkMapping } from './bulk-mapping.ts';
import { bulkParams, bulkPath, refreshing, stateBadge } from './bulk-parts.ts';
import { bulkPrice } from './bulk-price.ts';
import { bulkProgress } from './bulk-progress.ts';
import { bulkReading, describeFormat, readingNotices } from './bulk-reading.ts';
import { findLetters } from './rows/list-letters.ts';
import { rowSamples } from './rows/row-samples.ts';
import { definePage, type Visit } from './texts.ts';

const changesByItself: readonly BulkState[] = ['validating', 'sending'];
/** Rows that the choice of columns shows examples from. */
const exampleRows = 5;
const isChecked = ({ state }: BulkRecord) => ['needs_mapping', 'needs_attention', 'ready'].includes(state);

/** A bulk: what was read, its columns, faults and price, then its progress. */
export const bulkPage = definePage({
  path: `${bulkPath}/:bulkId`,
  params: bulkParams,

  async show({ visit, params: { bulkId }, sent, now }, { cursors }) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    const { texts } = visit;
    const badges = html`${modeBadge(texts, bulk.mode)} ${stateBadge(visit, bulk)}`;
    const isCancelling = bulk.state === 'cancelled' && bulk.due.send !== undefined;
    return view({
      title: `${bulk.file.filename} · ${texts.bulk.title}`,
      body: html`${pageHead({ title: bulk.file.filename, actions: badges })}
${refusal(visit, bulk, sent)}
${await contentOf(visit, { bulk, sent, cursors, now })}`,
      headers: changesByItself.includes(bulk.state) || isCancelling ? refreshing : {},
    });
  },
});

/** The states in which the page shows each form. */
const statesOf: Record<string, readonly BulkState[]> = {
  confirm: ['ready', 'needs_attention'],
  mapping: ['ready', 'needs_attention', 'needs_mapping'],
  reading: ['ready', 'needs_attention', 'needs_mapping'],
  pause: ['sending'],
  resume: ['paused'],
};

/** Says why a form was refused that the page does not show any more: the bulk has changed. */
function refusal({ texts }: Visit, { state }: BulkRecord, { path, errors }: SentForm): Markup {
  const form = path?.split('/').at(-1) ?? '';
  const isShown = path === null || statesOf[form]?.includes(state);
  if (isShown || errors[''] === undefined) return nothing;
  return notice('danger', html`<p role="alert">${texts.form.errors.bulkChanged}</p>`);
}

type Scene = { bulk: BulkRecord; sent: SentForm; cursors: CursorCodec; now: Date };

async function contentOf(visit: Visit, { bulk, sent, cursors, now }: Scene): Promise<Markup> {
  const words = visit.texts.bulk;
  if (bulk.state === 'validating') {
    const { upToRow = 0 } = bulk.checking ?? {};
    const reached = upToRow === 0 ? nothing : html`<p>${words.checkedTo(visit.format.number(upToRow))}</p>`;
    return notice('info', html`<p>${words.validating}</p>${reached}`);
  }
  if (bulk.state === 'failed') return failure(visit, bulk);
  const state = bulk.confirmedAt === null ? 'faulty' : 'refused';
  const faulty = await listRows(bulk, { state, limit: maxShownRows }, cursors);
  const faults = bulkFaults(visit, bulk, faulty.rows);
  if (bulk.confirmedAt !== null) {
    const isCancellable = await canStillBeCancelled(bulk, now);
    // A page that reloads by itself would lose what is typed.
    const search = changesByItself.includes(bulk.state) ? nothing : findLetters(visit, bulk);
    return html`${bulkProgress(visit, { bulk, sent, isCancellable })}${search}${faults}${readAs(visit, bulk)}`;
  }
  if (!isChecked(bulk)) return readAs(visit, bulk);
  const { balanceCents } = await readWallet(bulk);
  const [first, remembered] = await Promise.all([
    listRows(bulk, { limit: exampleRows }, cursors),
    findRememberedMapping(bulk),
  ]);
  const canBeSent = bulk.state !== 'needs_mapping' && bulk.counts.valid > 0;
  return html`${readAs(visit, bulk)}
${readingNotices(visit, bulk, sent)}
${faults}
${bulkFaults(visit, bulk, await readWarnedRows(bulk), 'warnings')}
${unused(visit, bulk)}
${canBePreviewed(bulk) ? findLetters(visit, bulk) : nothing}
${canBeSent ? html`${rowSamples(visit, bulk)}${bulkPrice(visit, { bulk, sent, balanceCents })}` : nothing}
${bulk.format?.likely ? nothing : bulkMapping(visit, { bulk, sent, remembered, examples: first.rows.map(({ record }) => record.cells) })}
${bulkReading(visit, bulk, sent)}
<p class="actions"><a class="button plain" href="${visit.href(`${bulkPath}/${bulk._id}/cancel`)}">${words.cancel}</a></p>`;
}

/** Names what is in the list and on no letter, before the price. Columns that keep the list waiting are named elsewhere. */
function unused({ texts, format }: Visit, { unusedColumns = [], undecidedColumns = [] }: BulkRecord): Markup {
  const names = unusedColumns.filter((name) => !undecidedColumns.includes(name));
  return names.length === 0 ? nothing : notice('info', texts.bulk.unused(format.list(names)));
}

function readAs(
  visit: Visit,
  { _id, createdBy, counts, format: read, prices, pages, serviceType, color, doubleSided }: BulkRecord,
): Markup {
  const { texts, format, href } = visit;
  const words = texts.bulk;
  const count = (value: number) => format.number(value);
  return section(
    words.readAs,
    html`${facts([
      [words.format, describeFormat(words, read)],
      ...(read?.headerRow ? [[words.reading.headerRow, count(read.headerRow)] as const] : []),
      [
        words.service,
        `${texts.words.serviceTypes[serviceType]}${color ? `, ${words.color}` : ''}${doubleSided === false ? `, ${texts.words.sides.one}` : ''}`,
      ],
      ...(pages === null ? [] : [[words.pages, count(pages)] as const]),
      [words.rows, count(counts.rows)],
      ...(prices.length === 0 && counts.faulty === 0
        ? []
        : ([
            [words.valid, count(counts.valid)],
            [words.faulty, count(counts.faulty)],
            [words.warned, count(counts.warned ?? 0)],
          ] as const)),
      ...creatorFacts(visit, createdBy),
      ...(counts.duplicates === 0 ? [] : [[words.duplicates, count(counts.duplicates)] as const]),
    ])}${counts.duplicates === 0 ? nothing : html`<p class="hint">${words.duplicatesHint} <a href="${href(`${bulkPath}/${_id}/faults`)}">${words.downloadFaults}</a></p>`}`,
  );
}

function failure(visit: Visit, { failure: found }: BulkRecord): Markup {
  const { texts, language, href } = visit;
  const words = texts.bulk;
  const { code = 'INTERNAL', fault, line, message = '', findings = [] } = found ?? {};
  // Lists of earlier versions may have faults that are none today.
  const known = isTableFaultName(fault) ? words.tableFaults[fault](String(line ?? 1)) : words.failures[code];
  // A document without findings: the reason exists in English only.
  const isUnnamed = code === 'DOCUMENT' && findings.length === 0;
  const text = isUnnamed && language === 'en' ? message : known;
  return html`${notice('danger', html`<p class="notice-title">${words.failed}</p><p>${text}</p>`)}
${findings.length === 0 ? nothing : section(texts.findings.title, letterFindings(visit, findings))}
<p class="actions"><a class="button primary" href="${href(`${bulkPath}/new`)}">${words.tryAgain}</a></p>`;
}
