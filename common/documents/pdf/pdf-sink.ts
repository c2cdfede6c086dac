import { closeSync, openSync, writeSync } from 'node:fs';

/** Where a PDF is written to. */
export type PdfSink = {
  /** Writes text, encoded in Latin-1. */
  text(text: string): void;
  bytes(bytes: Uint8Array): void;
  /** The number of bytes written so far. */
  position(): number;
  close(): void;
};

const bufferBytes = 1024 * 1024;

/** Creates the file at `path`, which must not exist. Small writes are buffered, large ones go directly to the file. */
export function createFileSink(path: string): PdfSink {
  const file = openSync(path, 'wx', 0o600);
  const writeAll = (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done);
  };
  const { flush, ...sink } = createBufferedSink(Buffer.allocUnsafe(bufferBytes), writeAll);
  return {
    ...sink,
    close() {
      flush();
      closeSync(file);
    },
  };
}

/** A sink in memory, and what was written to it. */
export type MemorySink = PdfSink & { written(): Uint8Array };

/** Creates a sink that fills `buffer`. Writing throws a RangeError when the buffer is full. */
export function createMemorySink(buffer: Buffer): MemorySink {
  const { flush: _, ...sink } = createBufferedSink(buffer, () => {
    throw new RangeError(`The document is larger than ${buffer.length} bytes.`);
  });
  return { ...sink, written: () => buffer.subarray(0, sink.position()), close() {} };
}

function createBufferedSink(buffer: Buffer, drain: (bytes: Uint8Array) => void) {
  let used = 0;
  let drained = 0;

  function flush(): void {
    drain(buffer.subarray(0, used));
    drained += used;
    used = 0;
  }
  function bytes(chunk: Uint8Array): void {
    if (chunk.length > buffer.length - used) flush();
    if (chunk.length > buffer.length) {
      drain(chunk);
      drained += chunk.length;
      return;
    }
    buffer.set(chunk, used);
    used += chunk.length;
  }

  return {
    bytes,
    text(text: string) {
      if (text.length > buffer.length - used) flush();
      if (text.length > buffer.length) bytes(Buffer.from(text, 'latin1'));
      else used += buffer.write(text, used, 'latin1');
    },
    position: () => drained + used,
    flush,
  };
}
