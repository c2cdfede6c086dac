import { csvRecord } from '#common/csv.ts';
import type { Language } from '#common/languages.ts';
import { describeVariables } from '#common/templates/template.view.ts';
import { foldColumnName, kindOfColumn } from './check/column-words.ts';

/** Headings of the recipient, which are recognized whatever the variables are called. */
const headings: Record<Language, readonly string[]> = {
  en: ['Full name', 'Company', 'Street and number', 'Postcode', 'City', 'Country', 'Reference'],
  fr: ['Nom complet', 'Société', 'Rue et numéro', 'Code postal', 'Ville', 'Pays', 'Référence'],
  nl: ['Volledige naam', 'Bedrijf', 'Straat en nummer', 'Postcode', 'Gemeente', 'Land', 'Referentie'],
  de: ['Vor- und Nachname', 'Firma', 'Straße und Hausnummer', 'Postleitzahl', 'Ort', 'Land', 'Referenz'],
};
const street = 'Kerkstraat 2';
const recipient = ['Ada Peeters', 'Acme BV', street, '9000', 'Gent', 'BE', 'm-1'];
/** Of variables that are called as a part of the address: the row says the same twice. */
const parts: Partial<Record<string, string>> = {
  ...{ street, address: street, number: '2', shortNumber: '2', firstName: 'Ada', lastName: 'Peeters' },
  ...{ name: 'Ada Peeters', fullName: 'Ada Peeters', company: 'Acme BV' },
};
const yes: Record<Language, string> = { en: 'yes', fr: 'oui', nl: 'ja', de: 'ja' };

/** A column of a list for a template, with an example. */
export type SampleColumn = { heading: string; example: string };

/** Returns the columns that a list for a template has: those of the recipient, then its other variables. */
export function listColumns(text: string, language: Language): SampleColumn[] {
  const ofRecipient = headings[language].map((heading, index) => ({ heading, example: recipient[index] ?? '' }));
  const known = new Set(headings[language].map(foldColumnName));
  const others = describeVariables(text).filter(
    ({ name, isRecipient }) => !isRecipient && !known.has(foldColumnName(name)),
  );
  return [
    ...ofRecipient,
    ...others.map(({ name, isPrinted }) => {
      const part = parts[kindOfColumn(name)?.role ?? ''];
      return { heading: name, example: isPrinted ? (part ?? name) : yes[language] };
    }),
  ];
}

/** Returns a list of one letter to start from, as CSV with a byte order mark, which Excel needs. */
export function writeSampleList(columns: readonly SampleColumn[]): string {
  return `\ufeff${csvRecord(columns.map(({ heading }) => heading))}${csvRecord(columns.map(({ example }) => example))}`;
}
