import { timeZone } from '#common/calendar.ts';
import { type Language, languages } from '#common/languages.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import type { ServiceType, Zone } from '#common/services.ts';
import { encodeDataMatrix } from '../addressing/encode-data-matrix.ts';
import type { Format, SchemeName } from '../sheet/envelope-schemes.ts';

/** A batch as its papers show it. What it contains is handed in together, at one price by weight class. */
export type PaperBatch = {
  zone: Zone;
  serviceType: ServiceType;
  format: Format;
  acknowledgmentReceipt: boolean;
  batchId: string;
  cutoffAt: Date;
  closesAt: Date;
  window: SchemeName;
  color: boolean;
  doubleSided: boolean;
  itemCount: number;
  sheetCount: number;
};

/**
 * A copy of a batch as its papers show it. `sequence` counts from 1 in the order of printing. `trackingNumber`: absent
 * while it has none.
 */
export type PaperItem = {
  sequence: number;
  itemId: string;
  pageCount: number;
  sheetCount: number;
  sender: PostalAddress;
  trackingNumber?: string;
};

const locales: Record<Language, string> = { en: 'en-GB', fr: 'fr-BE', nl: 'nl-BE', de: 'de-DE' };
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });

/** Returns the day in Brussels, such as `Thursday 5 March 2026`. */
export function formatDay(at: Date, language: Language = 'en'): string {
  const day = at.toLocaleDateString(locales[language], { dateStyle: 'full', timeZone });
  // The comma after the weekday depends on the version of the locale data.
  return language === 'en' ? day.replaceAll(',', '') : day;
}

/** Returns the day and the time in Brussels, such as `Thursday 5 March 2026, 15:00`. */
export function formatMoment(at: Date, language: Language = 'en'): string {
  return `${formatDay(at, language)}, ${timeFormat.format(at)}`;
}

/** Returns a number with the separators of the language, such as `1,200`. */
export function formatCount(count: number, language: Language, decimals = 0): string {
  return count.toLocaleString(locales[language], { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** A formatter takes longer to make than a page of addresses to format. */
const regions = new Map(languages.map((language) => [language, new Intl.DisplayNames(language, { type: 'region' })]));

/** Returns the lines of an address. The country is named when it is not Belgium. */
export function addressLines({ name, line1, line2, zip, city, country }: PostalAddress, language: Language): string[] {
  const abroad = country === 'BE' ? [] : [regions.get(language)?.of(country) ?? country];
  return [name, line1, ...(line2 === null ? [] : [line2]), `${zip} ${city}`, ...abroad];
}

/** Returns the rows of the data matrix of a batch, as 0 and 1. */
export function batchMatrix(batchId: string): string[] {
  const { side, modules } = encodeDataMatrix(`BJ1 ${batchId}`.toUpperCase());
  return Array.from({ length: side }, (_, row) => modules.subarray(row * side, (row + 1) * side).join(''));
}

/** Rows of one of the two blocks of a list, on a page that has nothing else. */
const rowsPerBlock = 49;

/** Splits a list into pages, and each of them into two blocks. `firstRows`: the rows of a block of the first page. */
export function toBlocks<Row>(rows: readonly Row[], firstRows = rowsPerBlock): Row[][][] {
  const pages: Row[][][] = [];
  for (let from = 0; from === 0 || from < rows.length; ) {
    const perBlock = pages.length === 0 ? firstRows : rowsPerBlock;
    const blocks = [0, 1].map((index) => rows.slice(from + index * perBlock, from + (index + 1) * perBlock));
    pages.push(blocks.filter(({ length }) => length > 0));
    from += 2 * perBlock;
  }
  return pages;
}

/** Returns a number with spaces of the width of a digit before it, so that numbers below each other are aligned. */
export function padNumber(number: number | string, digits: number): string {
  return String(number).padStart(digits, '\u2007');
}
