import { constants, createInflate, inflateSync } from 'node:zlib';

/**
 * Returns to how many bytes deflated bytes unpack, or more than `limitBytes` once that is exceeded. Damage ends the
 * count: readers print only the data before it.
 */
export type InflatedSize = (bytes: Uint8Array, limitBytes: number) => Promise<number> | number;

/** Inflated in one call, which saves the hand-over to another thread; at most 17 MB come out. */
const maxInflatedAtOnce = 16 * 1024;

export const inflatedSize: InflatedSize = (bytes, limitBytes) => {
  if (bytes.length <= maxInflatedAtOnce) {
    try {
      return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).length;
    } catch {
      // Counted again below, up to the damage.
    }
  }
  return countStream(bytes, limitBytes);
};

function countStream(bytes: Uint8Array, limitBytes: number): Promise<number> {
  return new Promise((resolve) => {
    const inflate = createInflate({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 256 * 1024 });
    let size = 0;
    const end = () => {
      inflate.destroy();
      resolve(size);
    };
    inflate.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) end();
    });
    inflate.once('end', end).once('error', end);
    inflate.end(bytes);
  });
}
