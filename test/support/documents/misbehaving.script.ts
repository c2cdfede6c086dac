import type { WarmScript } from '#common/documents/warm-program/warm.script.ts';

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
    const realms = [
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
  async rebuild(file, _pageCount, sink) {
    const way =
      String.fromCharCode(...new Uint8Array(file))
        .split('%')
        .at(-1) ?? '';
    await ways[way]?.(sink.text);
  },
};
Object.assign(globalThis, defined);
