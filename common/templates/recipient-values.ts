import type { Language } from '#common/languages.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import type { TemplateVersion } from './template.model.ts';
import type { MergeVariables } from './text/fill-template.ts';
import { parseTemplate } from './text/parse-template.ts';
import { printedKeys } from './text/template-blocks.ts';
import { variableKey } from './text/variable-names.ts';

/** Variables that have a value of the recipient unless the caller gives one. `company` is known of lists only. */
export const recipientVariables = ['name', 'company', 'street', 'zip', 'city', 'country'] as const;
export type RecipientVariable = (typeof recipientVariables)[number];

/** The recipient of a letter. Of a list, `name` is without the company. */
export type TemplateRecipient = Pick<PostalAddress, 'name' | 'line1' | 'zip' | 'city' | 'country'> & {
  company?: string;
};

/** Returns the recipient's variable that a name stands for; undefined for any other name. */
export function recipientVariableOf(name: string): RecipientVariable | undefined {
  const key = variableKey(name);
  return recipientVariables.find((each) => each === key);
}

/**
 * Returns the given values and, for variables of the template without one, those of the recipient. A given value wins, also
 * an empty one. A variable that only shows optional text shows it if the recipient has a value. Null, for none or several
 * recipients: nothing is added.
 */
export function withRecipient(
  { text, language }: Pick<TemplateVersion, 'text' | 'language'>,
  given: MergeVariables,
  recipient: TemplateRecipient | null,
): MergeVariables {
  if (recipient === null) return given;
  const keys = new Set(Object.keys(given).flatMap((name) => (given[name] === null ? [] : [variableKey(name)])));
  const values = valuesOf(recipient, language);
  const { blocks, variables } = parseTemplate(text);
  const printed = printedKeys(blocks);
  const added = variables.flatMap((name) => {
    const key = variableKey(name);
    const variable = keys.has(key) ? undefined : recipientVariableOf(name);
    const value = variable && values[variable];
    return value === undefined ? [] : [[name, printed.has(key) || value === '' ? value : 'yes'] as const];
  });
  const known = Object.entries(given).filter(([, value]) => value !== null);
  return added.length === 0 ? given : Object.fromEntries([...known, ...added]);
}

function valuesOf(
  { name, company, line1, zip, city, country }: TemplateRecipient,
  language: Language,
): Partial<Record<RecipientVariable, string>> {
  const named = new Intl.DisplayNames(language, { type: 'region' });
  const countryName = /^[A-Z]{2}$/.test(country) ? named.of(country) : undefined;
  return { name, ...(company !== undefined && { company }), street: line1, zip, city, country: countryName ?? country };
}
