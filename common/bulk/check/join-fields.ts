type Place = { zip: string; city: string; country: string };

/** How a box that is only a number or a letter is written behind the street. In Belgium by the language of the place. */
const boxFormats: Readonly<Record<string, (line: string, box: string, place: Place) => string>> = {
  BE: (line, box, place) => `${line} ${isDutch(line, place) ? 'bus' : 'bte'} ${box}`,
  CA: (line, box) => `${line} # ${box}`,
  GB: (line, box) => `Flat ${box}, ${line}`,
  IE: (line, box) => `Flat ${box}, ${line}`,
  NL: (line, box) => `${line}-${box}`,
  US: (line, box) => `${line} # ${box}`,
};
const withSlash = (line: string, box: string) => `${line}${/\d\p{L}?$/u.test(line) ? '/' : ', '}${box}`;

/** Returns the line of the street with the box. One that the line has already, or that is named, stays as it is. */
export function withBox(line: string, box: string, place: Place): string {
  if (line === '' || box === '') return line;
  const [, named = ''] =
    /\b(?:bus|bte|bo[iî]te|box|apt|app|flat|unit|suite)\b[.:]? ?(\S+)$/iu.exec(line.slice(-40)) ?? [];
  if (named.toLowerCase() === box.toLowerCase()) return line;
  if (/\p{L}{2}|#/u.test(box)) return `${line} ${box}`;
  return (boxFormats[place.country] ?? withSlash)(line, box, place);
}

/** Returns the addressee: the company, then the person, each once. */
export function withCompany(name: string, company: string): string {
  if (company === '' || name === '' || name.toLowerCase() === company.toLowerCase()) return name || company;
  return `${company}, ${name}`;
}

/** Brussels has two languages: there the words of the address tell. */
const dutchWords = /brussel\b|(?:straat|laan|plein|steenweg|dreef|lei|kaai|markt|weg|gaarde|berg)\b/iu;
const frenchWords =
  /bruxelles|\b(?:rue|avenue|av|boulevard|bd|chauss[eé]e|place|square|quai|impasse|all[eé]e|clos|drève)\b/iu;

function isDutch(line: string, { zip, city }: Place): boolean {
  const code = Number(zip);
  if (code < 1300) return !frenchWords.test(`${line} ${city}`) && dutchWords.test(`${line} ${city}`);
  return (code >= 1500 && code < 4000) || code >= 8000;
}
