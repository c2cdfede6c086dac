// Level: unit
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endsAsZip, findTypeFault, type SniffedType, sniff } from '#common/documents/print-file/sniff.ts';
import { photoHeicPath, photoJpegPath, quarters } from '../support/documents/build-images.ts';
import { textPdf } from '../support/documents/build-pdf.ts';
import { pdfAndZip, zipAndPdf } from '../support/documents/hostile-pdfs.ts';
import { describe, expect, test, useTempFolders } from '../support/jest.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** The first box of a container: length, `ftyp`, major brand, version, compatible brands. */
function ftyp(major: string, ...compatible: string[]): Buffer {
  const box = latin1(`\0\0\0\0ftyp${major}\0\0\0\0${compatible.join('')}`);
  box.writeUInt32BE(box.length);
  return Buffer.concat([box, latin1('\0\0\0\x08mdat')]);
}

describe('the type detected from the first bytes', () => {
  const cases: [string, Uint8Array, SniffedType | null][] = [
    ['a PDF header at the start', latin1('%PDF-1.4\n'), 'application/pdf'],
    ['a PDF header after 1,019 bytes of white space', latin1(`${' '.repeat(1019)}%PDF-1.7`), 'application/pdf'],
    ['a PDF header after 1,020 bytes', latin1(`${' '.repeat(1020)}%PDF-1.7`), null],
    ['a PDF header after printer commands', latin1('\x1b%-12345X@PJL\r\n%PDF-1.7'), 'application/pdf'],
    ['HTML', latin1('<!doctype html><title>Letter</title>'), null],
    ['HTML that mentions a PDF header', latin1('<html><!-- %PDF-1.7 -->'), null],
    ['a ZIP that mentions a PDF header', latin1('PK\x03\x04 %PDF-1.7'), null],
    ['a Windows program that mentions a PDF header', latin1('MZ\x90 %PDF-1.7'), null],
    ['a JPEG', latin1('\xff\xd8\xff\xe0\0\x10JFIF'), 'image/jpeg'],
    ['a JPEG without camera data', latin1('\xff\xd8\xff\xdb'), 'image/jpeg'],
    ['a PNG', latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'image/png'],
    ['a PNG broken by a text transfer', latin1('\x89PNG\n\x1a\n\0\0\0\rIHDR'), null],
    ['a GIF', latin1('GIF89a'), null],
    ['nothing', latin1(''), null],
    ['AVIF, which lists mif1 as compatible', ftyp('avif', 'avif', 'mif1', 'miaf'), null],
    ['an MP4 film', ftyp('isom', 'isom', 'iso2', 'mp41'), null],
    ['HEIC named only among the compatible brands', ftyp('MiHE', 'mif1', 'heic'), 'image/heif'],
    ['a brand after the box', Buffer.concat([ftyp('isom'), latin1('heic')]), null],
  ];

  test.each(cases)('%s is detected correctly', (_title, bytes, expected) => {
    expect(sniff(bytes)).toBe(expected);
  });

  test.each(['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'])('the brand %s is HEIF', (brand) => {
    expect(sniff(ftyp(brand))).toBe('image/heif');
  });
});

describe('the declared type compared with the bytes', () => {
  const newFolder = useTempFolders();
  const faultOf = async (bytes: Uint8Array, declared: Parameters<typeof findTypeFault>[1]) => {
    const path = join(await newFolder(), 'upload');
    await writeFile(path, bytes);
    const [onDisk, inMemory] = [
      await findTypeFault({ path }, declared),
      await findTypeFault({ bytes: Buffer.from(bytes) }, declared),
    ];
    expect(inMemory).toBe(onDisk);
    return onDisk;
  };

  test('each type of file passes when declared correctly', async () => {
    expect(await faultOf(await textPdf(['one']), 'application/pdf')).toBeNull();
    expect(await faultOf(readFileSync(photoJpegPath), 'image/jpeg')).toBeNull();
    expect(await faultOf(await quarters({ width: 20, height: 30, format: 'png' }), 'image/png')).toBeNull();
    expect(await faultOf(readFileSync(photoHeicPath), 'image/heic')).toBeNull();
  });

  test('HEIC passes when declared as HEIF', async () => {
    expect(await faultOf(readFileSync(photoHeicPath), 'image/heif')).toBeNull();
  });

  test('a PNG declared as PDF or JPEG is refused', async () => {
    const image = await quarters({ width: 20, height: 30, format: 'png' });
    expect(await faultOf(image, 'application/pdf')).toBe('not_what_declared');
    expect(await faultOf(image, 'image/jpeg')).toBe('not_what_declared');
  });

  test('a file that is both a PDF and a ZIP is refused', async () => {
    expect(await faultOf(pdfAndZip(), 'application/pdf')).toBe('two_types_at_once');
    expect(await faultOf(zipAndPdf(), 'application/pdf')).toBe('not_what_declared');
  });

  test('a ZIP end record counts only at the end of the file', () => {
    const record = Buffer.concat([latin1('PK\x05\x06'), Buffer.alloc(18)]);
    expect(endsAsZip(record)).toBe(true);
    expect(endsAsZip(Buffer.concat([record, latin1('endstream endobj %%EOF')]))).toBe(false);
    record.writeUInt16LE(6, 20);
    expect(endsAsZip(Buffer.concat([record, latin1('%%EOF\n')]))).toBe(true);
    expect(endsAsZip(latin1('PK\x05\x06'))).toBe(false);
  });
});
