import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { onePage, rawPdf, rawStream } from './build-pdf.ts';

const mib = 1024 * 1024;

/** A page tree that contains itself. */
export function recursivePageTree(count: number): Buffer {
  return rawPdf({
    objects: {
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: `<< /Type /Pages /Count ${count} /Kids [3 0 R] >>`,
      3: `<< /Type /Pages /Parent 2 0 R /Count ${count} /Kids [2 0 R 4 0 R] >>`,
      4: '<< /Type /Page /Parent 3 0 R /MediaBox [0 0 595 842] >>',
    },
  });
}

/** A million pages in a few kilobytes: every node of the tree holds the next one ten times. */
export function millionPages(announced: number): Buffer {
  const objects: Record<number, string> = { 1: '<< /Type /Catalog /Pages 2 0 R >>' };
  for (let level = 0; level < 6; level += 1) {
    const kids = `${level + 3} 0 R `.repeat(10);
    const count = level === 0 ? announced : 10 ** (6 - level);
    objects[level + 2] = `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`;
  }
  objects[8] = '<< /Type /Page /MediaBox [0 0 595 842] >>';
  return rawPdf({ objects });
}

/** A valid page in a file that costs a parser about 5 s of CPU: numbers in place of an object. */
export function slowPdf(): Buffer {
  return rawPdf({ objects: { ...onePage(), 6: '1 '.repeat(500_000) } });
}

/** A tree of a million nodes without a page. */
export function millionNodes(): Buffer {
  const objects: Record<number, string> = { 1: '<< /Type /Catalog /Pages 2 0 R >>' };
  for (let level = 0; level < 6; level += 1) {
    objects[level + 2] = `<< /Type /Pages /Count 1 /Kids [${`${level + 3} 0 R `.repeat(10)}] >>`;
  }
  objects[8] = '<< /Type /Pages /Count 1 /Kids [] >>';
  return rawPdf({ objects });
}

/** A valid page with a cyclic outline. */
export function circularOutline(): Buffer {
  return rawPdf({
    objects: {
      ...onePage({ catalog: '/Outlines 6 0 R' }),
      6: '<< /Type /Outlines /First 7 0 R /Last 8 0 R /Count 2 >>',
      7: '<< /Title (a) /Parent 6 0 R /Next 8 0 R /Prev 8 0 R >>',
      8: '<< /Title (b) /Parent 6 0 R /Next 7 0 R /Prev 7 0 R >>',
    },
  });
}

/** A cross-reference section that refers to itself as the previous one. */
export function crossReferenceLoop(): Buffer {
  return rawPdf({
    objects: onePage(),
    frame: (tableAt) =>
      `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 6 /Root 1 0 R /Prev ${tableAt} >>\nstartxref\n${tableAt}\n%%EOF\n`,
  });
}

/** Flate data of zeros, without allocating them: one compressed mebibyte, repeated. */
function packedZeros(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(mib), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const header = Buffer.from([0x78, 0x9c]);
  return Buffer.concat([header, ...Array.from({ length: mebibytes }, () => block)]);
}

/** A page whose content decodes to `mebibytes`. Compressed twice, 10 GiB fit in a few kilobytes. */
export function inflateBomb(mebibytes: number, isPackedTwice: boolean): Buffer {
  const once = packedZeros(mebibytes);
  const content = isPackedTwice
    ? rawStream('/Filter [/FlateDecode /FlateDecode]', deflateSync(once, { level: 9 }))
    : rawStream('/Filter /FlateDecode', once);
  return rawPdf({ objects: onePage({ content }) });
}

/** A decompression bomb that takes effect during parsing: an object stream. */
export function objectStreamBomb(mebibytes: number): Buffer {
  return rawPdf({
    objects: { ...onePage(), 6: rawStream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', packedZeros(mebibytes)) },
  });
}

/** The same in a cross-reference stream. */
export function crossReferenceBomb(mebibytes: number): Buffer {
  const bomb = rawStream('/Type /XRef /Size 1 /W [1 1 1] /Filter /FlateDecode', packedZeros(mebibytes));
  return rawPdf({ objects: { ...onePage(), 6: bomb } });
}

/** Ten streams with two filters each: 60 MB between the filters, but only a few bytes after the second. */
export function largeBetweenFilters(): Buffer {
  const inner = deflateSync(Buffer.from('BT ET'));
  const outer = deflateSync(Buffer.concat([inner, Buffer.alloc(60 * mib)]), { level: 9 });
  const stream = rawStream('/Filter [/FlateDecode /FlateDecode]', outer);
  const numbers = Array.from({ length: 10 }, (_, i) => i + 6);
  const contents = `[${numbers.map((number) => `${number} 0 R`).join(' ')}]`;
  const page = onePage();
  return rawPdf({
    objects: {
      ...page,
      3: page[3].replace('4 0 R', contents),
      ...Object.fromEntries(numbers.map((number) => [number, stream])),
    },
  });
}

/** A page whose content decodes to `mebibytes`, behind a Crypt filter, which passes unencrypted bytes through. */
export function bombBehindCrypt(mebibytes: number): Buffer {
  const content = rawStream('/Filter [/Crypt /FlateDecode]', packedZeros(mebibytes));
  return rawPdf({ objects: onePage({ content }) });
}

/** A page whose content decodes to `mebibytes` with a predictor. */
export function predictedContent(mebibytes: number): Buffer {
  const dictionary = '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 1024 >>';
  return rawPdf({ objects: onePage({ content: rawStream(dictionary, packedZeros(mebibytes)) }) });
}

/** A page whose content decodes to `mebibytes` through two filters, with predictor rows between them. */
export function predictorBetweenFilters(mebibytes: number): Buffer {
  const columns = 64;
  const inner = packedZeros(mebibytes);
  const rows = Array.from({ length: Math.ceil(inner.length / columns) }, (_, i) => {
    const row = Buffer.alloc(columns + 1);
    inner.copy(row, 1, i * columns, (i + 1) * columns);
    return row;
  });
  const parameters = `[<< /Predictor 12 /Columns ${columns} >> null]`;
  const dictionary = `/Filter [/FlateDecode /FlateDecode] /DecodeParms ${parameters}`;
  return rawPdf({
    objects: onePage({ content: rawStream(dictionary, deflateSync(Buffer.concat(rows), { level: 9 })) }),
  });
}

/** A page whose content decodes to `megabytes` by LZW: each code stands for a longer run of the same byte. */
export function lzwBomb(megabytes: number, earlyChange: 0 | 1 = 1): Buffer {
  const codes: number[] = [];
  for (let bytes = 0; bytes < megabytes * 1e6; bytes += (3837 * 3838) / 2) {
    codes.push(256, 0);
    for (let code = 258; code < 4094; code += 1) codes.push(code);
  }
  const dictionary = `/Filter /LZWDecode /DecodeParms << /EarlyChange ${earlyChange} >>`;
  const content = rawStream(dictionary, packLzwCodes([...codes, 257], earlyChange));
  return rawPdf({ objects: onePage({ content }) });
}

function packLzwCodes(codes: readonly number[], earlyChange: 0 | 1): Buffer {
  const bytes: number[] = [];
  let held = 0;
  let heldBits = 0;
  let width = 9;
  let entries = 0;
  for (const code of codes) {
    held = (held << width) | code;
    heldBits += width;
    for (; heldBits >= 8; heldBits -= 8) bytes.push((held >> (heldBits - 8)) & 0xff);
    held &= (1 << heldBits) - 1;
    // The table gains an entry with every code except the first after a clear code.
    entries = code === 256 ? -1 : entries + 1;
    const next = Math.max(entries, 0) + 258 + earlyChange;
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
  }
  return Buffer.from([...bytes, (held << (8 - heldBits)) & 0xff]);
}

/** A page that runs scripts on open, print, page change and touch, and contains a program and a form. */
export function scriptedPdf(): Buffer {
  const script = '<< /Type /Action /S /JavaScript /JS (app.alert\\(1\\)) >>';
  const launch = '<< /S /Launch /F (evil.exe) >>';
  return rawPdf({
    objects: {
      ...onePage({
        catalog: `/OpenAction 6 0 R /AA << /WP ${script} >> /AcroForm 7 0 R /Names << /JavaScript << /Names [(a) 6 0 R] >> /EmbeddedFiles << /Names [(evil.exe) 8 0 R] >> >>`,
        page: `/AA << /O ${launch} >> /Annots [10 0 R 11 0 R] /Metadata 9 0 R`,
      }),
      5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /J#53 (app.alert\\(2\\)) /Next 6 0 R /Twin 3 0 R >>',
      6: script,
      7: '<< /XFA 9 0 R /Fields [10 0 R] >>',
      8: '<< /Type /Filespec /F (evil.exe) /EF << /F 9 0 R >> >>',
      9: rawStream('/Type /EmbeddedFile', 'MZ evil'),
      10: `<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [60 500 300 540] /F 4 /A ${launch} /AA << /E ${script} >> /P 3 0 R /Parent 7 0 R /AP << /N 12 0 R >> >>`,
      11: `<< /Type /Annot /Subtype /Link /Rect [0 0 100 100] /F 4 /A ${launch} >>`,
      12: rawStream(
        '/Type /XObject /Subtype /Form /BBox [0 0 240 40] /Resources << /Font << /F1 5 0 R >> >> /OPI << /JS (x) >>',
        'BT /F1 24 Tf 4 8 Td (Filled in) Tj ET',
      ),
    },
  });
}

/** A valid PDF that a ZIP reader opens as well. */
export function pdfAndZip(): Buffer {
  const record = Buffer.alloc(22);
  record.write('PK\x05\x06', 'latin1');
  return Buffer.concat([rawPdf({ objects: onePage() }), record]);
}

/** The reverse: a ZIP archive with the PDF in its first entry. */
export function zipAndPdf(): Buffer {
  const entry = Buffer.alloc(30);
  entry.write('PK\x03\x04', 'latin1');
  return Buffer.concat([entry, rawPdf({ objects: onePage() })]);
}
