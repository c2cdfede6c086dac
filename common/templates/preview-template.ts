import type { Owner } from '#common/modes.ts';
import { findUnusedVariables } from './find-variable-faults.ts';
import { assertVariables, type ResolveDeps, type StoredLetter, setLetter } from './resolve-template.ts';
import type { TemplateVersion } from './template.model.ts';
import { type MergeVariables, textsOf } from './text/fill-template.ts';
import { parseTemplate } from './text/parse-template.ts';
import { variableKey } from './text/variable-names.ts';

/** A letter to look at, and what is wrong with its variables. */
export type PreviewedLetter = { letter: StoredLetter; missing: string[]; unused: string[] };

/**
 * Makes a letter of a template to look at. A variable without a value shows as `((name))`. Throws VALIDATION_ERROR for
 * values that cannot be printed, and as `setLetter`.
 */
export async function previewTemplate(
  owner: Owner,
  version: Pick<TemplateVersion, 'language' | 'text'>,
  given: MergeVariables,
  deps: ResolveDeps,
  at: Date,
): Promise<PreviewedLetter> {
  const texts = textsOf(given);
  const missing = parseTemplate(version.text).variables.filter((name) => !texts.get(variableKey(name)));
  const shown = missing.map((name) => [name, `((${name}))`] as const);
  const missingKeys = new Set(missing.map(variableKey));
  const kept = Object.entries(given).filter(([name]) => !missingKeys.has(variableKey(name)));
  const variables: MergeVariables = Object.fromEntries([...kept, ...shown]);
  assertVariables(version, variables);
  const { language, text } = version;
  const letter = await setLetter(owner, { language, text, variables }, deps, at);
  return { letter, missing, unused: findUnusedVariables(version, given) };
}
