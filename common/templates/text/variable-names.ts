/** Letters and digits first, then also spaces, dots, underscores and hyphens. At most 50 characters. */
const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._-]{0,49}$/u;

/** Returns whether a text can be the name of a variable. */
export function isVariableName(text: string): boolean {
  return namePattern.test(text);
}

/**
 * Returns what names are compared by: `First name`, `first_name` and `FIRSTNAME` are one variable, as columns of a table
 * and fields of a program are written differently.
 */
export function variableKey(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[ ._-]/g, '');
}
