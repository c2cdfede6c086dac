import { findUnprintable } from '#common/documents/typesetting/font-coverage.ts';
import { letterLimits } from '#common/documents/typesetting/letter-content.ts';
import { characterFaults, findCharacterFault } from '#common/fields/text.schema.ts';
import type { TemplateVersion } from './template.model.ts';
import { fillTemplate, type MergeVariables, textsOf } from './text/fill-template.ts';
import { parseTemplate } from './text/parse-template.ts';
import { linesOf, printedKeys } from './text/template-blocks.ts';
import { variableKey } from './text/variable-names.ts';

const messages = {
  missing: () => 'Is missing.',
  empty: () => 'Must not be empty: the letter would have a gap.',
  tooLong: () => `Must have at most ${maxValueLength} characters.`,
  unprintable: (value: string) => `The font of letters has no ${value}.`,
  ...characterFaults,
  duplicate: (value: string) => `Is given more than once: as ${value}.`,
  letterEmpty: () => 'The letter would be empty: each of its texts is optional, and none is shown.',
  letterTooLong: () => `The letter would have more than ${letterLimits.characters} characters.`,
} as const;
export type VariableFaultCode = keyof typeof messages;

/**
 * What is wrong with a variable. `name` is that of the template, or the given one when two are the same variable. `value`:
 * what the fault is about, empty for some codes. `message` is in English; pages translate the codes.
 */
export type VariableFault = { name: string; code: VariableFaultCode; value: string; message: string };

function createFault(name: string, code: VariableFaultCode, value = ''): VariableFault {
  return { name, code, value, message: messages[code](value) };
}

/** Printable, but has no shape in a line: a value of nothing else leaves a gap. */
const softHyphen = '\u00ad';

/** Most characters of one value. */
export const maxValueLength = 5_000;

type TemplateText = Pick<TemplateVersion, 'text'>;

/**
 * Returns why a letter cannot be made of a template with these variables; an empty list when it can. A variable in the
 * text needs a value that is not blank, so that no letter has a gap. One that only shows optional text may be blank, and
 * counts as false then. Variables that the template does not have are ignored, see `findUnusedVariables`.
 */
export function findVariableFaults(version: TemplateText, variables: MergeVariables): VariableFault[] {
  const { blocks, variables: names } = parseTemplate(version.text);
  const texts = textsOf(variables);
  const printed = printedKeys(blocks);
  const faults = names.flatMap((name): VariableFault[] => {
    const key = variableKey(name);
    return findTextFault(name, texts.get(key), printed.has(key));
  });
  faults.push(...findDuplicates(variables, names));
  if (faults.length > 0) return faults;
  try {
    const isEmpty = fillTemplate(blocks, texts)
      .flatMap(linesOf)
      .flat()
      .every(({ text }) => text.trim() === '');
    return isEmpty ? [createFault(names[0] ?? '', 'letterEmpty')] : [];
  } catch {
    return [createFault(names[0] ?? '', 'letterTooLong')];
  }
}

function findTextFault(name: string, text: string | undefined, isPrinted: boolean): VariableFault[] {
  if (text === undefined) return [createFault(name, 'missing')];
  if (!isPrinted) return [];
  if (text.replaceAll(softHyphen, '').trim() === '') return [createFault(name, 'empty')];
  if (text.length > maxValueLength) return [createFault(name, 'tooLong')];
  const fault = findCharacterFault(text);
  if (fault !== null) return [createFault(name, fault.code, fault.place)];
  const characters = findUnprintable(text);
  return characters.length === 0 ? [] : [createFault(name, 'unprintable', describe(characters))];
}

/** Names characters that cannot be shown, also those that cannot be seen. */
function describe(characters: readonly string[]): string {
  const named = characters.slice(0, 5).map((character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `${character} (U+${code})` : `U+${code}`;
  });
  return named.join(', ');
}

/** Two given names that are one variable: which value is meant is not known. */
function findDuplicates(variables: MergeVariables, names: readonly string[]): VariableFault[] {
  const used = new Set(names.map(variableKey));
  const groups = Map.groupBy(Object.keys(variables), variableKey);
  return [...groups].flatMap(([key, given]) => {
    if (given.length < 2 || !used.has(key)) return [];
    return [createFault(given[0] ?? '', 'duplicate', given.join(', '))];
  });
}

/** Returns the given names that the template does not use. They are ignored, but may be typing errors. */
export function findUnusedVariables(version: TemplateText, variables: MergeVariables): string[] {
  const used = new Set(parseTemplate(version.text).variables.map(variableKey));
  return Object.keys(variables).filter((name) => !used.has(variableKey(name)));
}
