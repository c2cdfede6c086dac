import type { Language } from '#common/languages.ts';
import { currency } from '#common/money.ts';

/** The locale of each language, as used in Belgium. */
const locales: Record<Language, string> = { en: 'en-GB', fr: 'fr-BE', nl: 'nl-BE', de: 'de-BE' };
/** The time zone of the postal operator and its cutoffs. */
const timeZone = 'Europe/Brussels';

/** Formats values for one language. */
export type Format = {
  /** Formats `123456` as €1,234.56. */
  money(cents: number): string;
  number(value: number): string;
  /** For example 21 November 2026. */
  date(at: Date): string;
  /** Formats `21` as 21%. */
  percent(value: number): string;
  /** Formats `40960` as 41 kB. */
  size(bytes: number): string;
  /** Returns the name of a country from its ISO code. */
  country(code: string): string;
  /** For example November 2026. */
  month(at: Date): string;
  /** For example 21 Nov 2026, 14:05, in Brussels time. */
  moment(at: Date): string;
  /** For example 21 Nov, in Brussels. */
  shortDate(at: Date): string;
  /** For example Nov 26, in Brussels. */
  shortMonth(at: Date): string;
  /** Formats `310` as 5 h, 10 min: at most two units, days to minutes. */
  duration(minutes: number): string;
  /** For example `a, b and c`. */
  list(items: readonly string[]): string;
};

/** Created once, because Intl objects are expensive to create. */
const formats = Object.fromEntries(
  Object.entries(locales).map(([language, locale]) => [language, createFormat(locale)]),
) as Record<Language, Format>;

export function formatOf(language: Language): Format {
  return formats[language];
}

function createFormat(locale: string): Format {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const number = new Intl.NumberFormat(locale);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const unit = { style: 'unit', maximumFractionDigits: 1 } as const;
  const kilobytes = new Intl.NumberFormat(locale, { ...unit, unit: 'kilobyte', maximumFractionDigits: 0 });
  const megabytes = new Intl.NumberFormat(locale, { ...unit, unit: 'megabyte' });
  const countries = new Intl.DisplayNames(locale, { type: 'region' });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const shortDate = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone });
  const shortMonth = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone });
  const duration = new Intl.DurationFormat(locale, { style: 'short' });
  const list = new Intl.ListFormat(locale);

  return {
    money: (cents) => money.format(cents / 100),
    number: (value) => number.format(value),
    date: (at) => date.format(at),
    percent: (value) => percent.format(value / 100),
    size: (bytes) => (bytes < 1e6 ? kilobytes.format(Math.ceil(bytes / 1e3)) : megabytes.format(bytes / 1e6)),
    country: (code) => countries.of(code) ?? code,
    month: (at) => month.format(at),
    moment: (at) => moment.format(at),
    shortDate: (at) => shortDate.format(at),
    shortMonth: (at) => shortMonth.format(at),
    duration: (minutes) => duration.format(toUnits(minutes)),
    list: (items) => list.format(items),
  };
}

/** Splits minutes into days and hours from one day on, else into hours and minutes. */
function toUnits(minutes: number): { days?: number; hours?: number; minutes?: number } {
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return { days: Math.floor(hours / 24), hours: hours % 24 };
  if (hours > 0) return { hours, minutes: minutes % 60 };
  return { minutes: Math.max(1, minutes) };
}

/** Returns a function that picks a plural form: `plural(n, { one: '# letter', other: '# letters' })`. `#` is the number. */
export function pluralOf(language: Language) {
  const rules = new Intl.PluralRules(locales[language]);
  return (count: number, forms: { one: string; other: string }): string => {
    const form = rules.select(count) === 'one' ? forms.one : forms.other;
    return form.replace('#', formatOf(language).number(count));
  };
}
