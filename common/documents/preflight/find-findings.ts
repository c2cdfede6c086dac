import { isA4 } from '../sheet/a4.ts';
import type { Placement, SchemeName } from '../sheet/envelope-schemes.ts';
import type { Finding, Severity } from './finding.ts';
import { type CoverPageReason, type FindingCode, type FindingRow, findingTable } from './finding-table.ts';
import type { LetterFacts } from './letter-facts.ts';
import type { LetterReport, PageReport } from './page-report.ts';

/** How a letter is sent, as far as its findings depend on it. */
export type LetterToJudge = {
  facts: LetterFacts;
  scheme: SchemeName;
  /** Whether it is printed in colour. False when that is not known. */
  color: boolean;
  /** Where the address goes. */
  placement: Placement;
  /** Why it goes to a cover page; null when that is for ink in the window, or because all letters get one. */
  coverPageReason: CoverPageReason | null;
  /** Whether each letter gets a cover page. */
  hasAlwaysCoverPage: boolean;
  /** Page counts of the letter's files in order: with several files, messages name the file of a page. */
  filePageCounts: readonly number[];
  addressProblems: readonly { recipientIndex: number | null; problem: string; isSmall: boolean }[];
};

/** Most findings of a kind, other than errors. */
const maxPerCode = 20;
const severities: readonly Severity[] = ['error', 'warning', 'info'];

/**
 * Returns all findings about a measured letter, ordered by page and severity; those about the whole letter are last. At
 * most 20 of each kind, errors apart: a further finding counts the others.
 */
export function findFindings(report: LetterReport, letter: LetterToJudge): Finding[] {
  const found = [
    ...report.pages.flatMap((page, index) => judgePage(page, index, letter)),
    ...judgeFonts(report),
    ...(letter.color ? [] : judgeColours(report)),
    ...judgeLetter(letter),
  ];
  const limited = [...Map.groupBy(found, ({ code }) => code)].flatMap(([code, same]) => {
    const count = same.length - maxPerCode;
    return count <= 0 || same[0]?.severity === 'error'
      ? same
      : [...same.slice(0, maxPerCode), createFinding('more_findings', { code, count })];
  });
  const rank = ({ page, severity }: Finding) =>
    [page ?? Number.MAX_SAFE_INTEGER, severities.indexOf(severity)] as const;
  return limited.sort((one, other) => {
    const [page, severity] = rank(one);
    const [otherPage, otherSeverity] = rank(other);
    return page - otherPage || severity - otherSeverity;
  });
}

type DataOf<Code extends FindingCode> = (typeof findingTable)[Code] extends FindingRow<infer Data> ? Data : never;
type Place = Partial<Pick<Finding, 'page' | 'boxMm'>>;

/** Returns a finding of a kind in the table. */
export function createFinding<Code extends FindingCode>(
  code: Code,
  data: DataOf<Code>,
  { page = null, boxMm = null }: Place = {},
): Finding {
  const { severity, message, fix } = findingTable[code] as unknown as FindingRow<DataOf<Code>>;
  return { code, severity, page, boxMm, message: message(data), fix } satisfies Finding;
}

function judgePage(report: PageReport, index: number, letter: LetterToJudge): Finding[] {
  const page = index + 1;
  const at = nameOfPage(page, letter.filePageCounts);
  const found: Finding[] = report.notes.map((note) => createFinding(note, { at }, { page }));
  const { widthMm, heightMm, fitted } = report;
  if (!isA4(report)) found.push(createFinding('page_not_a4', { at, widthMm, heightMm }, { page }));
  else if (fitted) {
    const isTurned = isA4({ widthMm: fitted.heightMm, heightMm: fitted.widthMm });
    found.push(createFinding(isTurned ? 'page_turned' : 'page_scaled', { at, ...fitted }, { page }));
  }
  for (const box of report.outside)
    found.push(createFinding('outside_printable_area', { at, box }, { page, boxMm: box }));

  const inWindow = letter.hasAlwaysCoverPage ? null : report.windows[letter.scheme];
  const windowCode = letter.placement === 'cover' ? 'cover_page_added' : 'window_not_blank';
  if (inWindow && letter.coverPageReason === null)
    found.push(createFinding(windowCode, { at, box: inWindow }, { page, boxMm: inWindow }));
  const isFront = index % 2 === 0 || !letter.facts.doubleSided;
  if (report.mark && isFront)
    found.push(createFinding('mark_zone_not_blank', { at, box: report.mark }, { page, boxMm: report.mark }));
  for (const { dpi, box } of report.images)
    found.push(createFinding('low_resolution', { at, dpi, box }, { page, boxMm: box }));
  if (report.isBlank) found.push(createFinding('blank_page', { at }, { page }));
  if (report.isIncomplete) found.push(createFinding('page_not_fully_checked', { at }, { page }));
  return found;
}

/** Returns one finding per font, at its first page. */
function judgeFonts({ pages }: LetterReport): Finding[] {
  const pagesOf = new Map<string, number[]>();
  for (const [index, { fonts }] of pages.entries()) {
    for (const font of fonts) pagesOf.set(font, [...(pagesOf.get(font) ?? []), index + 1]);
  }
  return [...pagesOf].map(([fontName, [page = 1, ...others]]) =>
    createFinding('font_not_embedded', { fontName, page, pageCount: 1 + others.length }, { page }),
  );
}

/** Returns one finding for all pages with colours, at the first of them. */
function judgeColours({ pages }: LetterReport): Finding[] {
  const coloured = pages.flatMap(({ isColoured }, index) => (isColoured ? [index + 1] : []));
  const [page] = coloured;
  return page === undefined ? [] : [createFinding('printed_grey', { page, pageCount: coloured.length }, { page })];
}

function judgeLetter({ facts, addressProblems, coverPageReason }: LetterToJudge): Finding[] {
  const { sheets, envelope, envelopes, weightGrams } = facts;
  const found: Finding[] = addressProblems.map((problem) =>
    createFinding(problem.isSmall ? 'address_small' : 'address_not_printable', problem),
  );
  if (coverPageReason !== null) found.push(createFinding('cover_page_needed', { reason: coverPageReason }));
  if (envelopes > 1) found.push(createFinding('several_envelopes', { sheets, weightGrams, envelopes }));
  else if (envelope !== 'DL') found.push(createFinding('larger_envelope', { sheets, envelope }));
  return found;
}

/** Returns `Page 3`, or with several files `Page 3 (page 1 of file 2)`. */
function nameOfPage(page: number, filePageCounts: readonly number[]): string {
  if (filePageCounts.length < 2) return `Page ${page}`;
  let before = 0;
  for (const [index, count] of filePageCounts.entries()) {
    if (page <= before + count) return `Page ${page} (page ${page - before} of file ${index + 1})`;
    before += count;
  }
  return `Page ${page}`;
}
