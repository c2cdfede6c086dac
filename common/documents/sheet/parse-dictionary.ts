const maxDepth = 16;
/** One token, in ASCII, of a dictionary without strings: our writers put no string into a page or the page tree. */
const token = /[\0\t\n\f\r ]*(?:(<<|>>|[[\]])|(\/[!-$&'*-.0-;=?-Z\\^-z|~]*)|([!-$&'*-.0-;=?-Z\\^-z|~]+))/y;
const closers: Record<string, string> = { '<<': '>>', '[': ']' };

/** The entries of a dictionary: values as written, by names without the slash. */
export type Entries = ReadonlyMap<string, string>;

/**
 * Returns the entries of the PDF dictionary at the start of `text`, or null when `text` ends before the dictionary does.
 * Throws an Error for anything that is not a dictionary of names, numbers, references, arrays and dictionaries, and for
 * a name that is there twice. Takes time in proportion to the text.
 */
export function parseDictionary(text: string): Entries | null {
  const entries = new Map<string, string>();
  const open: string[] = [];
  let name: string | null = null;
  let valueFrom = 0;

  const endValue = (at: number) => {
    if (name === null) return;
    const value = text.slice(valueFrom, at).trim();
    if (value === '' || entries.has(name)) throw new Error(`Invalid dictionary: entry ${name.slice(0, 40)}`);
    entries.set(name, value);
    name = null;
  };

  token.lastIndex = 0;
  for (let at = 0; ; at = token.lastIndex) {
    const [all, bracket, key] = token.exec(text) ?? [];
    // A token that touches the end of the text may go on after it.
    if (all === undefined || (token.lastIndex === text.length && bracket === undefined)) {
      if (text.slice(at).trim().length === 0 || all !== undefined || isCutBracket(text, at)) return null;
      throw new Error('Invalid dictionary: a character that a print file never has there.');
    }
    if (open.length === 0) {
      if (bracket !== '<<') throw new Error('Invalid dictionary: no start.');
      open.push('>>');
    } else if (bracket === '<<' || bracket === '[') {
      if (name === null || open.length === maxDepth) throw new Error('Invalid dictionary: nested too deep.');
      open.push(closers[bracket] ?? '');
    } else if (bracket !== undefined) {
      if (open.pop() !== bracket) throw new Error('Invalid dictionary: brackets do not match.');
      if (open.length > 0) continue;
      endValue(token.lastIndex - bracket.length);
      return entries;
    } else if (open.length === 1 && key !== undefined && !isValueMissing(text, name, valueFrom, at)) {
      endValue(at);
      name = key.slice(1);
      valueFrom = token.lastIndex;
    } else if (name === null) {
      throw new Error('Invalid dictionary: a value without a name.');
    }
  }
}

/** The name after a name is its value: `/Type /Page`. */
function isValueMissing(text: string, name: string | null, valueFrom: number, at: number): boolean {
  return name !== null && text.slice(valueFrom, at).trim() === '';
}

/** `<` or `>` at the end of the text is half of a bracket. */
function isCutBracket(text: string, at: number): boolean {
  return /^[\0\t\n\f\r ]*[<>]$/.test(text.slice(at, at + 64)) && text.length - at <= 64;
}
