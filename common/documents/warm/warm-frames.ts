import { readSync, writeSync } from 'node:fs';

/**
 * What a warm child does with the bytes of a request: load the script, rebuild a PDF, merge rebuilt ones, draw a page,
 * measure the pages of a print file; load the compiler of letters, typeset a letter.
 */
export const operations = {
  loadScript: 1,
  rebuildPdf: 2,
  mergePdfs: 3,
  drawPage: 4,
  measurePages: 5,
  startTypesetting: 6,
  typesetLetter: 7,
} as const;
export type Operation = keyof typeof operations;

/** The first request to a child. It brings no file. */
export const startOperations: readonly Operation[] = ['loadScript', 'startTypesetting'];

/** `argument`: for `drawPage`, the page number from 1. */
export type WarmRequest = { operation: Operation; argument?: number; bytes: Uint8Array };

/**
 * `refused`: the file cannot be processed here; the child names no reason, because only a process of its own decides that.
 * `value`: the number of pages of a rebuilt, merged or typeset PDF; for a refused letter, the reason; else 0.
 */
export type WarmAnswer = { outcome: 'done' | 'refused'; value: number; bytes: Buffer };

/** Descriptors of the child: its program comes on standard input. */
export const requestDescriptor = 3;
export const answerDescriptor = 4;

/**
 * Files with more pages get a process of their own: the memory of a shared one would grow with the pages. After PDFs of
 * 2, 10, 50, 100, 400 and 2,000 pages it had 115, 119, 132, 141, 150 and 192 MB.
 */
export const maxWarmPages = 50;

/** Most bytes of an answer: a rebuilt file, the picture of a page or measurements as JSON. */
export const maxAnswerBytes = 8 * 1024 * 1024;

const headerWords = 4;
const headerBytes = headerWords * 4;
const outcomes = { done: 0x626a_0001, refused: 0x626a_0002 } as const;

/**
 * Returns a request as the parent writes it: ticket, operation, argument and length, then the bytes. The answer repeats
 * the ticket, so a child cannot answer a file that it has not got.
 */
export function encodeRequest({ operation, argument = 0, bytes }: WarmRequest, ticket: number): Buffer[] {
  return [
    header(ticket, operations[operation], argument, bytes.length),
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
  ];
}

/** Reads the next request, in the child. Waits without using CPU. Returns null at the end of the input. */
export function readRequest(): { ticket: number; operation: number; argument: number; file: ArrayBuffer } | null {
  const head = readBytes(headerBytes);
  if (!head) return null;
  const [ticket = 0, operation = 0, argument = 0, length = 0] = words(Buffer.from(head));
  const file = readBytes(length);
  return file && { ticket, operation, argument, file };
}

/** An answer as a child writes it. */
export type Written = { outcome: WarmAnswer['outcome']; value: number; bytes: Uint8Array };

/** Writes the answer to the request with this ticket, in the child. Throws a RangeError when the result is too large. */
export function writeAnswer(ticket: number, { outcome, value, bytes }: Written): void {
  if (bytes.length > maxAnswerBytes) throw new RangeError(`The result has more than ${maxAnswerBytes} bytes.`);
  writeBytes(header(ticket, outcomes[outcome], value, bytes.length));
  writeBytes(bytes);
}

/**
 * Creates the parent's reader of one answer. Security: the bytes come from a process that opened untrusted files.
 * `push` returns the answer when it is complete, and throws for anything but exactly one valid answer.
 */
export function createAnswerReader(ticket: number): { push(chunk: Buffer): WarmAnswer | null } {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  let expectedBytes = headerBytes;
  return {
    push(chunk) {
      chunks.push(chunk);
      receivedBytes += chunk.length;
      // A child may write its answer in many small pieces: they are joined twice, not each time.
      if (receivedBytes < expectedBytes) return null;
      const received = Buffer.concat(chunks);
      const [answered, word, value = 0, length = 0] = words(received);
      const outcome = word === outcomes.done ? 'done' : word === outcomes.refused ? 'refused' : null;
      if (answered !== ticket || !outcome || length > maxAnswerBytes)
        throw new Error('The child wrote no valid header.');
      expectedBytes = headerBytes + length;
      const surplus = received.length - expectedBytes;
      if (surplus > 0) throw new Error(`The child wrote ${surplus} bytes after its answer.`);
      return surplus === 0 ? { outcome, value, bytes: received.subarray(headerBytes) } : null;
    },
  };
}

function header(...numbers: [number, number, number, number]): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32LE(number, i * 4);
  return bytes;
}

function words(head: Buffer): number[] {
  return Array.from({ length: headerWords }, (_, i) => head.readUInt32LE(i * 4));
}

function readBytes(length: number): ArrayBuffer | null {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const count = readSync(requestDescriptor, bytes, done, length - done, null);
    if (count === 0) return null;
    done += count;
  }
  return bytes.buffer;
}

function writeBytes(bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(answerDescriptor, bytes, done, bytes.length - done);
}
