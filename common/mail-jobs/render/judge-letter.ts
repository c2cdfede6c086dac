import type { AddressProblem } from '#common/documents/addressing/check-addresses.ts';
import { createFinding, findFindings } from '#common/documents/preflight/find-findings.ts';
import type { Finding } from '#common/documents/preflight/finding.ts';
import type { CoverPageReason } from '#common/documents/preflight/finding-table.ts';
import { type LetterFacts, letterFacts } from '#common/documents/preflight/letter-facts.ts';
import type { LetterReport } from '#common/documents/preflight/page-report.ts';
import { isA4 } from '#common/documents/sheet/a4.ts';
import type { Placement, SchemeName } from '#common/documents/sheet/envelope-schemes.ts';
import type { CoverPageRule } from '#common/organizations/organization.model.ts';
import { sheetGrams } from '#common/pricing/tariff.schema.ts';

type LetterToJudge = {
  /** Null when the print file could not be measured. */
  report: LetterReport | null;
  filePageCounts: readonly number[];
  scheme: SchemeName;
  /** Whether it is printed in colour. False when that is not known. */
  color: boolean;
  coverPages: CoverPageRule;
  recipientCount: number;
  /** Absent: printed on both sides. */
  doubleSided?: boolean | undefined;
  /** They do not matter when the document shows its own. */
  addressProblems: readonly AddressProblem[];
};

export type JudgedLetter = { placement: Placement; facts: LetterFacts; findings: Finding[] };

/**
 * Decides where a letter's copies have their address, and lists everything its sender should know. No letter goes without
 * an address: the document's own is used only if the organization says so, the window of its first page is known to show
 * something, and there is one recipient.
 */
export function judgeLetter(letter: LetterToJudge): JudgedLetter {
  const { report, filePageCounts, scheme, color, coverPages, doubleSided, addressProblems } = letter;
  const { placement, reason } = choosePlacement(letter);
  const pages = filePageCounts.reduce((sum, count) => sum + count, 0);
  // A cover page is neither billed nor weighed, so the facts are those that the letter was priced by.
  const facts = letterFacts(pages, { doubleSided, gramsPerSheet: sheetGrams });
  const found = findFindings(report ?? { pages: [] }, {
    ...{ facts, scheme, color, placement, filePageCounts, coverPageReason: reason },
    hasAlwaysCoverPage: coverPages === 'always',
    addressProblems: placement === 'none' ? [] : addressProblems,
  });
  return { placement, facts, findings: report === null ? [...found, createFinding('not_measured', {})] : found };
}

type Choice = { placement: Placement; reason: CoverPageReason | null };

/** `reason`: why the letter gets a cover page, unless that is for ink in the window or for all letters. */
function choosePlacement({ report, scheme, coverPages, recipientCount }: LetterToJudge): Choice {
  if (coverPages === 'always') return { placement: 'cover', reason: null };
  const first = report?.pages[0];
  if (first === undefined) return { placement: 'cover', reason: 'notMeasured' };
  // The place of the window is not known on a page of another size.
  if (!isA4(first)) return { placement: 'cover', reason: 'notA4' };
  if (first.windows[scheme] === null) return { placement: 'page', reason: null };
  if (coverPages === 'auto') return { placement: 'cover', reason: null };
  if (recipientCount > 1) return { placement: 'cover', reason: 'severalRecipients' };
  return { placement: 'none', reason: null };
}
