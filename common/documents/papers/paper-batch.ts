import type { ServiceType, Zone } from '#common/services.ts';
import { a4 } from '../sheet/a4.ts';
import type { Format, SchemeName } from '../sheet/envelope-schemes.ts';

/** What is handed in together at one price. */
export type PostalClass = {
  zone: Zone;
  serviceType: ServiceType;
  format: Format;
  acknowledgmentReceipt: boolean;
};

/** A batch as its job ticket shows it. */
export type PaperBatch = PostalClass & {
  batchId: string;
  cutoffAt: Date;
  closesAt: Date;
  window: SchemeName;
  color: boolean;
  doubleSided: boolean;
  itemCount: number;
  sheetCount: number;
};

/** A copy of a batch as its papers show it. `sequence` counts from 1 in the order of printing. */
export type PaperItem = { sequence: number; itemId: string; pageCount: number; sheetCount: number };

export const zoneNames = { NATIONAL: 'Belgium', INTERNATIONAL: 'International' } as const;
export const windowNames: Record<SchemeName, string> = {
  'window-left': 'window on the left',
  'window-right': 'window on the right',
  registered: 'registered window, on the left',
};
export const serviceNames = { standard: 'Standard', prior: 'Prior', registered: 'Registered' } as const;

/** All margins of the papers, in mm. */
export const marginMm = 15;
/** The width between them. */
export const contentMm = a4.widthMm - 2 * marginMm;

const timeZone = 'Europe/Brussels';
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone,
});
const timeFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone,
});
const countFormat = new Intl.NumberFormat('en-GB');

/** Returns the day in Brussels, such as `Thursday 5 March 2026`. */
export function formatDay(at: Date): string {
  // The comma after the weekday depends on the version of the locale data.
  return dayFormat.format(at).replaceAll(',', '');
}

/** Returns the day and the time in Brussels, such as `Thursday 5 March 2026, 15:00`. */
export function formatMoment(at: Date): string {
  return `${formatDay(at)}, ${timeFormat.format(at)}`;
}

/** Returns a whole number with commas between thousands. */
export function formatCount(count: number): string {
  return countFormat.format(count);
}
