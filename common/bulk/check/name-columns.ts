/** As in requests that name columns. */
const maxNameLength = 200;

/** Returns a name of its own for each column: a blank one gets its number, a repeated one also. */
export function nameColumns(cells: readonly string[]): string[] {
  const names = new Set<string>();
  for (const [index, cell] of cells.entries()) {
    const line = cell.replaceAll(/\p{Cc}+/gu, ' ').trim();
    const name = cut(line, maxNameLength) || `Column ${index + 1}`;
    let unique = name;
    for (let number = index + 1; names.has(unique); number += 1) {
      const suffix = ` (${number})`;
      unique = cut(name, maxNameLength - suffix.length) + suffix;
    }
    names.add(unique);
  }
  return [...names];
}

/** Returns whether a column has no heading of its own. */
export const isUnnamed = (name: string) => /^Column \d+/.test(name);

/** Returns the names as the list has them: a repeated one without its number. */
export function originalNames(header: readonly string[]): string[] {
  return header.map((name, index) => {
    const [, original = '', number] = /^(.*) \((\d+)\)$/.exec(name) ?? [];
    return Number(number) > index && header.slice(0, index).includes(original) ? original : name;
  });
}

const cut = (text: string, length: number) => text.slice(0, length).toWellFormed().trimEnd();
