import type { Tracking } from '#common/mail-jobs/model/tracking.ts';
import { checkDigitOf } from './s10-number.ts';

/** A number on a label, or why the text is none. */
type ParsedLabel = { tracking: Tracking } | { problem: string };

/** Above what any label has, with spaces between all characters. */
const maxTextLength = 100;

/** Two letters for the service, eight digits and the check digit, two letters for the country. */
const s10Pattern = /^[A-Z]{2}\d{9}[A-Z]{2}$/;
/** The label of bpost for registered letters within Belgium. */
const bpostPattern = /^010\d{27}$/;
/** The label of registered letters that were announced to bpost. No check digit of it is published. */
const announcedPattern = /^JJBEA\d{18}$/;
const otherPattern = /^[A-Z0-9]{5,40}$/;
/** The data matrix on a sheet and on a paper of a batch, without spaces: `BJ1MI_…`. */
const ownMark = /^(?:BJ1)?(?:MI|BAT)_/;

/**
 * Recognizes the tracking number on a label, as a scanner reads it or a person types it. Spaces and case do not matter.
 * What has the form of a number of UPU standard S10 must have its check digit: it is never taken as `other`.
 */
export function parseLabel(text: string): ParsedLabel {
  if (text.length > maxTextLength) return { problem: 'This is longer than the number on any label.' };
  // Letters that are not ASCII could become ones in capitals.
  const number = text.replaceAll(/\s/g, '').replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
  if (number === '') return { problem: 'Nothing was read. Scan the label again.' };
  if (ownMark.test(number)) return { problem: 'This is the mark of a letter, not the label. Scan the label on it.' };
  if (s10Pattern.test(number)) return parseS10(number);
  if (bpostPattern.test(number)) return { tracking: { number, scheme: 'bpost-30' } };
  if (announcedPattern.test(number)) return { tracking: { number, scheme: 'bpost-jjbea' } };
  if (otherPattern.test(number)) return { tracking: { number, scheme: 'other' } };
  return {
    problem: /^[A-Z0-9]*$/.test(number)
      ? `A tracking number has 5 to 40 characters, and this has ${number.length}. Scan the label again.`
      : 'A tracking number has only letters from A to Z and digits. Scan the label again.',
  };
}

function parseS10(number: string): ParsedLabel {
  const [serial, given] = [number.slice(2, 10), Number(number[10])];
  if (given === checkDigitOf(serial)) return { tracking: { number, scheme: 's10' } };
  // Do not show the right digit: users would fix the wrong one.
  return { problem: `${number} has a wrong check digit: a character was misread. Scan the label again.` };
}
