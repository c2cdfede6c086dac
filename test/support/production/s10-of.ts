import { parseLabel } from '#common/production/tracking/parse-label.ts';

/** Returns the S10 number with this serial, of the country XX: it can be no real item. */
export function s10Of(serial: number): string {
  const digits = String(serial).padStart(8, '0');
  const labels = Array.from({ length: 10 }, (_, digit) => `RR${digits}${digit}XX`);
  return labels.find((label) => 'tracking' in parseLabel(label)) ?? '';
}
