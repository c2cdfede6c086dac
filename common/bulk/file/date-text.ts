/** Abbreviations of months that spreadsheets show, in en, nl, fr, de, it, es, pt and pl. */
const months = [
  'jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|mrt|mei|juni|juli|okt',
  'janv|f[ée]vr|mars|avr|mai|juin|juil|ao[ûu]t|d[ée]c|mrz|märz?|dez',
  'gen|mag|giu|lug|ago|set|ott|dic|ene|abr|fev|out|sty|lut|kwi|maj|cze|lip|sie|wrz|paź|lis|gru',
].join('|');
const month = `(?:${months})\\.?`;
const year = '(?:19|20)\\d{2}';
const time = '\\d{1,3}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?: ?[ap]m)?';

/** Those that are no words of their own: a street may be called 1 Mai. */
const abbreviated = '(?:jan|feb|apr|jun|jul|aug|sept?|oct|okt|nov|dec|dez|févr|avr|juil)\\.?';

const shapes = [
  `\\d{1,2} ${abbreviated}`,
  // Without the year of a century, as 12-14-16 may be a row of houses.
  '(?:0?[1-9]|[12]\\d|3[01])([./])(?:0?[1-9]|[12]\\d|3[01])\\1\\d{2}',
  '(?:0[1-9]|[12]\\d|3[01])-0[1-9]-\\d{2}',
  `\\d{1,2}[-/.]${month}(?:[-/. ]\\d{2}(?:\\d{2})?)?`,
  `\\d{2}\\. ${month}(?: \\d{2})?`,
  `${month}[-/.]\\d{2}(?:\\d{2})?`,
  // "8 mai 1945" may be a street without its "Rue du". Spreadsheets add the year of today.
  '\\d{1,2}\\.? \\p{L}{3,}\\.? 20\\d{2}',
  `${year}-\\d{2}-\\d{2}(?:[T ]${time}Z?)?`,
  `\\d{1,2}([-/.])\\d{1,2}\\2${year}(?: ${time})?`,
  time,
];
const whole = new RegExp(`^(?:${shapes.join('|')})$`, 'iu');

/** Returns whether a text is a date or a time as spreadsheets and programs write them, such as `3-apr` and `03:04:00`. */
export function isDateText(text: string): boolean {
  return whole.test(text);
}
