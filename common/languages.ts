/** The languages of pages and mails, as they appear in paths. The first is the default. */
export const languages = ['en', 'fr', 'nl', 'de'] as const;
export type Language = (typeof languages)[number];

/** Returns whether a text, such as the first segment of a path, is one of the languages. */
export function isLanguage(text: string | undefined): text is Language {
  return languages.some((language) => language === text);
}
