import { crc32, deflateRawSync } from 'node:zlib';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const utf8Flag = 0x800;
const deflated = 8;

/** Returns an XLSX file with one sheet of these texts. They must not need escaping. */
export function makeWorkbook(table: readonly (readonly string[])[]): Buffer {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = table.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('');
  return makeZip({
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="1" sheetId="1" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  });
}

/** Local headers, then the directory (APPNOTE.TXT of PKWARE, 4.3). */
function makeZip(texts: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(texts)) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(text)];
    const packed = deflateRawSync(bytes, { level: 1 });
    const about = Buffer.alloc(26);
    about.writeUInt16LE(utf8Flag, 2);
    about.writeUInt16LE(deflated, 4);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(bytes.length, 18);
    about.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, name, packed]);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), about, place, name);
    locals.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, entries, end]);
}
