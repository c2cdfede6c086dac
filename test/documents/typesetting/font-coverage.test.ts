// Level: unit
import { findUnprintable } from '#common/documents/typesetting/font-coverage.ts';
import { describe, expect, test } from '#test/support/jest.ts';

describe('characters that a letter can show', () => {
  test.each([
    ['the languages of Europe', 'Zoë Łukasz Ångström Đorđe Žižek façade œuvre ẞtraße Ελληνικά Кириллица Việt Nam'],
    ['money, quotes and dashes', '€ £ § © ® ™ „x“ «x» ‘x’ – — … • × ± ½ ° № \u00a0'],
    ['line breaks and soft hyphens', 'a\nb\u00adc'],
  ])('%s are shown', (_title, text) => {
    expect(findUnprintable(text)).toEqual([]);
  });

  test.each([
    ['Chinese', '漢字', ['漢', '字']],
    ['Arabic', 'مرحبا', [...new Set('مرحبا')]],
    ['Hebrew, although the font has it', 'שלום', [...'שלום']],
    ['emoji', 'a😀b', ['😀']],
    ['direction marks that hide text', 'a\u202eb\u200b', ['\u202e', '\u200b']],
    ['control characters', 'a\u0000\u0007', ['\u0000', '\u0007']],
    ['what stands for lost text', 'Zo\ufffd \ufffc', ['\ufffd', '\ufffc']],
    ['separators of lines', 'a\u2028b\u2029', ['\u2028', '\u2029']],
    ['a lone surrogate', 'a\ud800', ['\ud800']],
    ['an accent without its letter', 'q\u0308', ['\u0308']],
  ])('%s are named', (_title, text, expected) => {
    expect(findUnprintable(text)).toEqual(expected);
  });
});
