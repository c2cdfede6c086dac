// Level: unit
import { decodeZipName, foldZipName } from '#common/bulk/file/zip-name.ts';
import { describe, expect, test } from '#test/support/jest.ts';

describe('the names of files in a ZIP', () => {
  test('are read as their program wrote them', () => {
    expect(decodeZipName(Buffer.from('Liège/Łódź.pdf'), true)).toBe('Liège/Łódź.pdf');
    // macOS writes UTF-8 without the mark, Windows the code page of the machine.
    expect(decodeZipName(Buffer.from('Liège.pdf'), false)).toBe('Liège.pdf');
    expect(decodeZipName(Buffer.from('Li\x8age \x81 \xe1 \xff.pdf', 'latin1'), false)).toBe('Liège ü ß \u00a0.pdf');
  });

  test('are compared without their spelling', () => {
    for (const name of ['a/Liège.pdf', './a/Lie\u0300ge.pdf', 'a\\Liège.pdf'])
      expect(foldZipName(name)).toBe('a/Liège.pdf');
    expect(foldZipName('a/liège.pdf')).not.toBe('a/Liège.pdf');
  });
});
