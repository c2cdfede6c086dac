/** Removes case and accents: `liege` for `Liège`. Hashes of addresses depend on it, so it never changes. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Letters that Unicode does not take apart, as people type them. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
};
const specialLetter = /[łøđðħŧıßæœþ]/g;

/** As `foldText`, and `lodz` finds `Łódź`. For what people type to find something. */
export function foldForSearch(text: string): string {
  return foldText(text).replaceAll(specialLetter, (letter) => plainLetters[letter] ?? letter);
}
