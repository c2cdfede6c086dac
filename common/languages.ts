/** The languages of pages and mail, as they stand in paths; the first one is for people who speak none of them. */
export const languages = ['en', 'fr', 'nl', 'de'] as const;
export type Language = (typeof languages)[number];

/** Whether a text, such as the first segment of a path, names one of them. */
export function isLanguage(text: string | undefined): text is Language {
  return languages.some((language) => language === text);
}
