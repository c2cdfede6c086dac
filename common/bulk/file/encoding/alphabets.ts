import { homeCountry } from '#common/countries.ts';

/** The letters that each language has besides a to z (CLDR, main and common auxiliary exemplars). */
const letters = {
  fr: 'àâæçéèêëîïôœùûüÿ',
  nl: 'éèëïöüçê',
  de: 'äöüßé',
  en: 'é',
  it: 'àèéìíòóùú',
  es: 'áéíñóúüªº',
  pt: 'áâãàçéêíóôõúüªº',
  da: 'æøåéö',
  sv: 'åäöéü',
  is: 'áðéíóúýþæö',
  tr: 'çğıöşüâîûi̇',
  pl: 'ąćęłńóśźż',
  cs: 'áčďéěíňóřšťúůýž',
  sk: 'áäčďéíĺľňóôŕšťúýž',
  hu: 'áéíóöőúüű',
  ro: 'ăâîșțşţ',
  sl: 'čšžćđ',
  ru: 'абвгдежзийклмнопрстуфхцчшщъыьэюяё',
  uk: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюяў',
  sr: 'абвгдђежзијклљмнњопрстћуфхцчџшѓќѕ',
  el: 'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ',
} as const;
type Language = keyof typeof letters;

/** The letters that make up most of a text, to tell words from noise in other alphabets. */
const frequent: Partial<Record<Language, string>> = {
  ...{ ru: 'оеаинтсрвлк', uk: 'оанивітсерк', sr: 'аоиенсрјтук' },
  el: 'αοιετσνηυρίάό',
};

const countries: Record<string, string> = {
  ...{ BE: 'fr nl de', FR: 'fr', NL: 'nl', DE: 'de', AT: 'de', CH: 'de fr it', LU: 'fr de', LI: 'de', MC: 'fr' },
  ...{ GB: 'en', IE: 'en', US: 'en es', CA: 'en fr', IT: 'it', SM: 'it', VA: 'it', ES: 'es', MX: 'es' },
  ...{ PT: 'pt', BR: 'pt', DK: 'da', NO: 'da', SE: 'sv', FI: 'sv', IS: 'is', TR: 'tr', PL: 'pl', CZ: 'cs' },
  ...{ SK: 'sk', HU: 'hu', RO: 'ro', MD: 'ro ru', SI: 'sl', HR: 'sl', BA: 'sl sr', RS: 'sr sl', ME: 'sl sr' },
  ...{ MK: 'sr', BG: 'ru', RU: 'ru', BY: 'uk ru', UA: 'uk ru', GR: 'el', CY: 'el tr' },
};
const western: readonly Language[] = ['en', 'fr', 'nl', 'de', 'it', 'es', 'pt', 'da', 'sv', 'tr'];

/** A language, its letters, and how likely it is in a row: 4 for one of the country in the row, down to 1. */
export type LikelyLanguage = { letters: string; frequent: string | undefined; weight: number };

const known = new Map<string, LikelyLanguage[]>();

/** Returns the languages by what is likely in an address in a country. Without a country, the letter stays at home. */
export function languagesOf(country: string = homeCountry): LikelyLanguage[] {
  const found = known.get(country);
  if (found) return found;
  const own = (countries[country] ?? '').split(' ') as Language[];
  const isWestern = own.some((language) => western.includes(language));
  const weightOf = (language: Language) => {
    if (own.includes(language)) return country === homeCountry ? 3 : 4;
    return isWestern && western.includes(language) ? 2 : 1;
  };
  const languages = (Object.keys(letters) as Language[]).map((language) => ({
    letters: letters[language],
    frequent: frequent[language],
    weight: weightOf(language),
  }));
  known.set(country, languages);
  return languages;
}
