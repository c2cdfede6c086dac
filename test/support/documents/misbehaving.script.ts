import type { inflateSync } from 'node:zlib';
import type { WarmScript } from '#common/documents/warm-program/warm.script.ts';

/** `a`, deflated. */
const packedLetter = Uint8Array.of(0x78, 0x9c, 0x4b, 0x04, 0x00, 0x00, 0x62, 0x00, 0x62);

type Zlib = { inflateSync: typeof inflateSync };
type Poisoned = { poison?: string };

/** Misbehaves like a library with a bug that a file makes use of. The file ends with the way. */
const ways: Record<string, (text: (words: string) => void) => unknown> = {
  spin() {
    for (;;);
  },
  wait: () => new Promise(() => {}),
  take2GB() {
    const taken: unknown[] = [];
    for (;;) taken.push(new Array(1_000_000).fill(0.5));
  },
  /** Writes what an earlier file has left behind, then leaves as much as it can. */
  poison(text) {
    const zlib = (globalThis as unknown as { require(name: string): Zlib }).require('node:zlib');
    const unpacked = zlib.inflateSync(packedLetter);
    const realms = [
      zlib,
      zlib.inflateSync,
      Object.getPrototypeOf(unpacked),
      Object.getPrototypeOf(zlib.inflateSync),
      globalThis,
      Object.prototype,
      Array.prototype,
      Uint8Array.prototype,
      text,
      Object.getPrototypeOf(text),
    ];
    const found = realms.filter((realm) => (realm as Poisoned).poison !== undefined);
    text(found.length === 0 ? 'clean' : 'poisoned');
    for (const realm of realms) Reflect.set(realm as object, 'poison', 'left behind');
    Array.prototype.push = () => 0;
  },
  count: (text) => text('1'),
};

const defined: Pick<WarmScript, 'rebuild'> = {
  async rebuild(file, { sink }) {
    const way =
      String.fromCharCode(...new Uint8Array(file))
        .split('%')
        .at(-1) ?? '';
    await ways[way]?.(sink.text);
  },
};
Object.assign(globalThis, defined);
