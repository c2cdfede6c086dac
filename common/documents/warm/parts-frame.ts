/** Parts of a letter in print order, as one sequence of bytes. */

/**
 * Returns the number of different parts, their lengths, the number of parts and their indexes, each as 32 bits
 * (little-endian), and then the bytes of the different parts.
 */
export function packParts(parts: readonly Buffer[]): Buffer {
  const different = [...new Set(parts)];
  const order = parts.map((part) => different.indexOf(part));
  const numbers = [different.length, ...different.map(({ length }) => length), order.length, ...order];
  const head = Buffer.alloc(numbers.length * 4);
  for (const [i, number] of numbers.entries()) head.writeUInt32LE(number, i * 4);
  return Buffer.concat([head, ...different]);
}

/** Returns the parts in order, a repeated one as the same buffer. */
export function unpackParts(packed: ArrayBuffer): ArrayBuffer[] {
  const view = new DataView(packed);
  let at = 0;
  const readNumber = () => {
    const number = view.getUint32(at, true);
    at += 4;
    return number;
  };
  const readNumbers = () => Array.from({ length: readNumber() }, readNumber);
  const [lengths, order] = [readNumbers(), readNumbers()];
  const different = lengths.map((length) => {
    const part = packed.slice(at, at + length);
    at += length;
    return part;
  });
  return order.flatMap((index) => different[index] ?? []);
}
