import type { Issue } from '#common/errors.ts';

/** A string, and the colon behind it when it is a key. */
const string = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/y;
/** No schema is nested as deep: such a body is refused anyway. */
const maxDepth = 100;

/**
 * Returns the path of the first key that an object of a valid JSON text has twice, or null. JSON.parse keeps the last
 * value of such a key, and another program may have checked the first. Not beyond a depth of 100.
 */
export function findRepeatedKey(json: string): Issue['path'] | null {
  // The objects and arrays around the position: the keys that were seen, and where each stands.
  const open: { keys?: Set<string>; at: string | number }[] = [];
  for (let index = 0; index < json.length && open.length <= maxDepth; index += 1) {
    const inner = open.at(-1);
    const character = json[index];
    if (character === '{') open.push({ at: '' });
    else if (character === '[') open.push({ at: 0 });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && typeof inner?.at === 'number') inner.at += 1;
    else if (character === '"') {
      string.lastIndex = index;
      const [text = '', colon] = string.exec(json) ?? [];
      index += Math.max(0, text.length - 1);
      if (!inner || colon === undefined) continue;
      inner.at = JSON.parse(text.slice(0, -colon.length)) as string;
      inner.keys ??= new Set();
      if (inner.keys.has(inner.at)) return open.map(({ at }) => at);
      inner.keys.add(inner.at);
    }
  }
  return null;
}
