// Level: unit
import fc from 'fast-check';
import { readReasons } from '#common/production/providers/cups/answer-attributes.ts';
import { decodeAnswer, MalformedAnswerError } from '#common/production/providers/cups/decode-answer.ts';
import { groupTags, valueTags } from '#common/production/providers/cups/encode-request.ts';
import { describe, expect, forAny, test } from '#test/support/jest.ts';
import { type AnswerAttribute, ippAnswer, jobGroup, printerGroup } from '#test/support/print/ipp-answers.ts';

const requestId = 77;
const { keyword, integer, nameWithLanguage } = valueTags;
const [begin, end, member] = [0x34, 0x37, 0x4a];
const answer = ippAnswer({ requestId, groups: [printerGroup(), jobGroup(1), jobGroup(2)] });
const withAttributes = (...attributes: AnswerAttribute[]) =>
  ippAnswer({ requestId, groups: [[groupTags.job, ...attributes]] });

function decodes(bytes: Buffer): boolean {
  try {
    decodeAnswer(bytes, requestId);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedAnswerError);
    return false;
  }
}

describe('the bytes of an answer', () => {
  test('decode to groups of attributes in their order', () => {
    const { status, groups } = decodeAnswer(answer, requestId);
    expect(status).toBe(0);
    expect(groups.map(({ tag }) => tag)).toEqual([1, 4, 2, 2]);
    expect(groups[3]?.attributes.get('job-id')).toEqual([{ tag: integer, value: 2 }]);
    expect(groups[1]?.attributes.get('sides-supported')?.map(({ value }) => value)).toEqual([
      'one-sided',
      'two-sided-long-edge',
    ]);
  });

  test('cut off anywhere are malformed', () => {
    const whole = Array.from(answer, (_, length) => decodes(answer.subarray(0, length)));
    expect(whole).not.toContain(true);
    expect(decodes(answer)).toBe(true);
  });

  test('of any kind are an answer or malformed, never another error', () => {
    const head = answer.subarray(0, 9);
    forAny([fc.uint8Array({ maxLength: 400 })], (bytes) => void decodes(Buffer.concat([head, bytes])));
    forAny([fc.nat(answer.length - 1), fc.nat(255)], (at, byte) => {
      const changed = Buffer.from(answer);
      changed[at] = byte;
      decodes(changed);
    });
  });

  test.each([
    ['an attribute twice', withAttributes(['a', integer, 1], ['a', integer, 1])],
    ['a value without a name', withAttributes(['', integer, 1])],
    ['text that is not UTF-8', withAttributes(['a', keyword, Buffer.from([0xff])])],
    ['a boolean of 2', withAttributes(['a', valueTags.boolean, Buffer.from([2])])],
    ['an integer of five bytes', withAttributes(['a', integer, Buffer.alloc(5)])],
    ['a text with a wrong inner length', withAttributes(['a', nameWithLanguage, Buffer.from([0, 9, 1])])],
    ['a collection without an end', withAttributes(['a', begin, ''])],
    ['an end without a collection', withAttributes(['a', end, ''])],
    ['a member without a collection', withAttributes(['a', member, 'b'])],
    ['a named value in a collection', withAttributes(['a', begin, ''], ['b', integer, 1], ['', end, ''])],
    [
      'nine collections in each other',
      withAttributes(['a', begin, ''], ...Array<AnswerAttribute>(8).fill(['', begin, ''])),
    ],
    ['too many values', withAttributes(['a', integer, ...Array<number>(20_001).fill(1)])],
    ['no operation attributes', Buffer.concat([answer.subarray(0, 8), Buffer.from([3])])],
  ])('with %s are malformed', (_title, bytes) => {
    expect(decodes(bytes)).toBe(false);
  });

  test('with a collection, a text with language or an attribute __proto__ decode', () => {
    const withLanguage = Buffer.from([0, 2, ...Buffer.from('en'), 0, 1, ...Buffer.from('x')]);
    const bytes = withAttributes(
      ['media-col', begin, ''],
      ['', member, 'media-size'],
      ['', begin, ''],
      ['', member, 'x-dimension'],
      ['', integer, 21_000],
      ['', end, ''],
      ['', end, ''],
      ['__proto__', integer, 1],
      ['job-name', nameWithLanguage, withLanguage],
    );
    const attributes = decodeAnswer(bytes, requestId).groups[1]?.attributes;
    expect([...(attributes?.keys() ?? [])]).toEqual(['media-col', '__proto__', 'job-name']);
    expect(attributes?.get('job-name')).toEqual([{ tag: nameWithLanguage, value: 'x' }]);
  });

  test('give reasons that are keywords only, at most 20', () => {
    const reasons = ['none', 'media-empty-warning', 'two words', 'a\nline', ...Array<string>(30).fill('door-open')];
    const [, group] = decodeAnswer(withAttributes(['r', keyword, ...reasons]), requestId).groups;
    if (!group) throw new Error('no group');
    expect(readReasons(group, 'r')).toEqual(['media-empty-warning', ...Array<string>(19).fill('door-open')]);
  });
});
