import type { Language } from '#common/languages.ts';

/** Returns what is between the whole and the decimals of a number. */
export function decimalSign(language: Language): '.' | ',' {
  return language === 'en' ? '.' : ',';
}

const thousands: Record<Language, string> = { en: ',', fr: '\u00a0', nl: '.', de: '.' };

/** A number with one or two decimals, and perhaps a currency. With three, they may be thousands. */
const amount =
  /^([-+]?(?:\p{Sc}|[A-Z]{3})? ?[-+]?)(\d+|\d{1,3}(?:[., '’\u00a0\u202f]\d{3})+)([.,])(\d{1,2}(?:[ \u00a0]?(?:\p{Sc}|[A-Z]{3}|euros?|%))?)$/u;

/** Returns a number or an amount of money with the decimal sign of a language, and any other text as it is. */
export function withDecimalSign(text: string, language: Language): string {
  const sign = decimalSign(language);
  const [, before = '', digits = '', written, after = ''] = amount.exec(text) ?? [];
  if (written === undefined || written === sign || digits.includes(written)) return text;
  return before + digits.replaceAll(sign, thousands[language]) + sign + after;
}
