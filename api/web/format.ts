import type { Language } from '../../common/languages.ts';
import { currency } from '../../common/money.ts';

/** How each language writes numbers and times, as people in Belgium are used to it. */
const locales: Record<Language, string> = { en: 'en-GB', fr: 'fr-BE', nl: 'nl-BE', de: 'de-BE' };
/** The post's own time, in which cutoffs are told too. */
const timeZone = 'Europe/Brussels';

/** Values as a reader of one language writes them. */
export type Format = {
  /** `123456` as €1,234.56. */
  money(cents: number): string;
  number(value: number): string;
  /** 21 November 2026. */
  date(at: Date): string;
  /** `21` as 21%. */
  percent(value: number): string;
  /** `40960` as 41 kB. */
  size(bytes: number): string;
  /** The name of a country by its ISO code. */
  country(code: string): string;
  /** November 2026. */
  month(at: Date): string;
  /** `21` as 21%. */
  /** 21 Nov 2026, 14:05, in Brussels. */
  moment(at: Date): string;
  /** `a, b and c`. */
  list(items: readonly string[]): string;
};

/** Made once: these objects are costly to make and cheap to use. */
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
    list: (items) => list.format(items),
  };
}

/** Picks the form that goes with a number: `plural(n, { one: '# letter', other: '# letters' })`; `#` is the number. */
export function pluralOf(language: Language) {
  const rules = new Intl.PluralRules(locales[language]);
  return (count: number, forms: { one: string; other: string }): string => {
    const form = rules.select(count) === 'one' ? forms.one : forms.other;
    return form.replace('#', formatOf(language).number(count));
  };
}
