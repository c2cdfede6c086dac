import { crc32, deflateRawSync } from 'node:zlib';

/** Returns a ZIP of these files, by name. `declared` changes the sizes in its directory, as bombs do. */
export function zipOf(files: Record<string, Uint8Array>, declared: Record<string, number> = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const nameBytes = Buffer.from(name);
    const packed = deflateRawSync(bytes);
    const about = Buffer.alloc(26);
    // Version, flags (names in UTF-8), method, time, date, checksum, sizes, length of the name, of the extra field.
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(0x800, 2);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(declared[name] ?? bytes.length, 18);
    about.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, nameBytes, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), about, rest, nameBytes]));
    locals.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, entries, end]);
}
