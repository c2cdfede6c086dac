import { crc32, deflateRawSync } from 'node:zlib';

const utf8Flag = 0x800;
const deflated = 8;
/** 1 January 1980, the first day of the format. */
const firstDay = 0x21;

/**
 * Returns a ZIP of files, by their paths: local headers, then the directory (APPNOTE.TXT of PKWARE, 4.3). The same files
 * give the same bytes.
 */
export function makeZip(files: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(text)];
    const packed = deflateRawSync(bytes);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(utf8Flag, 2);
    about.writeUInt16LE(deflated, 4);
    about.writeUInt16LE(firstDay, 8);
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
