// Level: unit
import { findUnusedVariables, findVariableFaults } from '#common/templates/find-variable-faults.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const version = { text: 'Dear ((First name)), ((late??it is late.)) Pay ((amount)).' };
const complete = { 'first name': 'Ada', late: '', amount: 12.5 };

describe('variables of a letter', () => {
  test('names match whatever their case and separators; a flag may be empty', () => {
    expect(findVariableFaults(version, complete)).toEqual([]);
    expect(findVariableFaults(version, { FIRST_NAME: 'Ada', Late: false, amount: '1' })).toEqual([]);
    expect(findVariableFaults(version, { ...complete, amount: '\ufeffun\u00aden\u200bding' })).toEqual([]);
  });

  test.each([
    ['absent', {}, 'Is missing.'],
    ['null', { amount: null }, 'Is missing.'],
    ['blank', { amount: ' \n\t' }, 'Must not be empty'],
    ['only soft hyphens', { amount: '\u00ad \u00ad' }, 'Must not be empty'],
    ['too long', { amount: 'x'.repeat(5_001) }, 'at most 5000 characters'],
    ['of letters that the font lacks', { amount: '漢 \ue000' }, '漢 (U+6F22), U+E000'],
    ['only of no width', { amount: '\u200b\ufeff' }, 'Must not be empty'],
    ['turned round', { amount: '漢\n💌\u202e' }, 'Character 4 (U+202E) cannot be printed.'],
    ['replaced', { amount: 'Zo\ufffd' }, 'A character was lost at position 3 (U+FFFD).'],
  ])('a value that is %s is a fault with the name of the template', (_title, change, message) => {
    const { amount: _, ...others } = complete;
    expect(findVariableFaults(version, { ...others, ...change })).toMatchObject([
      { name: 'amount', message: expect.stringContaining(message) },
    ]);
  });

  test('one variable given under two names is a fault: its value is not known', () => {
    expect(findVariableFaults(version, { ...complete, First_Name: 'Bob' })).toMatchObject([
      { name: 'first name', message: 'Is given more than once: as first name, First_Name.' },
    ]);
  });

  test('a letter that would be too long is a fault', () => {
    const text = '((v)) '.repeat(60);
    expect(findVariableFaults({ text }, { v: 'x'.repeat(5_000) })).toMatchObject([{ name: 'v' }]);
  });

  test('a letter of which nothing is shown is a fault, so that no blank page is paid', () => {
    const text = '((late??It is late.))\n\n***\n\n| ((late??a)) |\n|---|\n| ((late??b)) |';
    expect(findVariableFaults({ text }, { late: false })).toMatchObject([{ name: 'late', code: 'letterEmpty' }]);
    expect(findVariableFaults({ text }, { late: true })).toEqual([]);
  });

  test('variables that the template does not have are ignored, and can be listed', () => {
    const variables = { ...complete, nmae: 'x', __proto__x: 'y' };
    expect(findVariableFaults(version, variables)).toEqual([]);
    expect(findUnusedVariables(version, variables)).toEqual(['nmae', '__proto__x']);
  });
});
