import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Truecolour, eight bits per channel. */
const [bitDepth, colourType] = [8, 2];
/** Filter type Up: each row is stored as its difference from the row above. White areas become zeros. */
const upFilter = 2;

/** Encodes pixels of four bytes (red, green, blue, ignored) as a PNG without transparency. */
export function encodePng({ width, height, data }: { width: number; height: number; data: Uint8Array }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colourType], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filterRows(width, height, data))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function filterRows(width: number, height: number, data: Uint8Array): Buffer {
  const rowBytes = 1 + width * 3;
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    let to = y * rowBytes;
    rows[to] = upFilter;
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 4;
      const above = from - width * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        to += 1;
        // The row above the first counts as zeros.
        rows[to] = (data[from + channel] ?? 0) - (y === 0 ? 0 : (data[above + channel] ?? 0));
      }
    }
  }
  return rows;
}

function chunk(name: string, content: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const whole = Buffer.alloc(typed.length + 8);
  whole.writeUInt32BE(content.length, 0);
  whole.set(typed, 4);
  whole.writeUInt32BE(crc32(typed), typed.length + 4);
  return whole;
}
