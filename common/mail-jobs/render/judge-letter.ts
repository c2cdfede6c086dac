import type { EnvelopeWindow } from '#common/config.ts';
import type { AddressProblem } from '#common/documents/addressing/check-addresses.ts';
import { findFindings } from '#common/documents/preflight/find-findings.ts';
import type { Finding } from '#common/documents/preflight/finding-table.ts';
import { type LetterFacts, letterFacts } from '#common/documents/preflight/letter-facts.ts';
import type { LetterReport } from '#common/documents/preflight/page-report.ts';
import { isA4 } from '#common/documents/sheet/a4.ts';
import type { Placement, SchemeName } from '#common/documents/sheet/envelope-schemes.ts';
import type { CoverPageRule } from '#common/organizations/organization.model.ts';
import { type ServiceType, sheetGrams } from '#common/pricing/tariff.schema.ts';

/** Returns the envelope of a letter: registered letters have one of their own. */
export function schemeFor(serviceType: ServiceType, window: EnvelopeWindow): SchemeName {
  return serviceType === 'registered' ? 'registered' : `window-${window}`;
}

export type LetterToJudge = {
  /** Null when the print file could not be measured. */
  report: LetterReport | null;
  filePageCounts: readonly number[];
  scheme: SchemeName;
  coverPages: CoverPageRule;
  /** Addresses that cannot be printed. They do not matter when the document shows its own. */
  addressProblems: readonly AddressProblem[];
};

export type JudgedLetter = { placement: Placement; facts: LetterFacts; findings: Finding[] };

/**
 * Decides where a letter's copies have their address, and lists everything its sender should know. A letter that could
 * not be measured, or whose first page is not A4, gets a cover page, unless its organization has none.
 */
export function judgeLetter({
  report,
  filePageCounts,
  scheme,
  coverPages,
  addressProblems,
}: LetterToJudge): JudgedLetter {
  const first = report?.pages[0];
  // On a page of another size, the place of the window is not known.
  const isWindowBlank = first !== undefined && isA4(first) && first.windows[scheme] === null;
  const placement = choosePlacement(coverPages, isWindowBlank);
  const pages = filePageCounts.reduce((sum, count) => sum + count, 0);
  // A cover page is neither billed nor weighed, so the facts are those that the letter was priced by.
  const facts = letterFacts(pages, { gramsPerSheet: sheetGrams });
  const letter = {
    facts,
    scheme,
    coverPage: coverPages,
    filePageCounts,
    addressProblems: placement === 'none' ? [] : addressProblems,
  };
  return { placement, facts, findings: findFindings(report ?? { pages: [] }, letter) };
}

function choosePlacement(rule: CoverPageRule, isWindowBlank: boolean): Placement {
  if (rule === 'always') return 'cover';
  if (isWindowBlank) return 'page';
  return rule === 'auto' ? 'cover' : 'none';
}
