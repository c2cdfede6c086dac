import { LetterError } from '#common/documents/typesetting/refusals.ts';
import type { SetLetter, TypesettingPool } from '#common/documents/typesetting/typesetting-pool.ts';
import type { Zone } from '#common/services.ts';
import { findVariableFaults } from '#common/templates/find-variable-faults.ts';
import { mergeLetter } from '#common/templates/merge-letter.ts';
import type { TemplateVersion } from '#common/templates/template.model.ts';
import { readVariables } from '../check/read-letter.ts';
import { type BulkMapping, columnOfField, fieldOf } from '../model/bulk-fields.ts';
import type { RowFault } from '../model/bulk-row.model.ts';

/** Letters that are typeset at a time: the pool of a process sets two, and letters of the API wait for it too. */
const concurrency = 2;

export type Typesetting = {
  version: TemplateVersion;
  mapping: BulkMapping;
  /** Of the list. */
  zone: Zone | null;
  typesetting: TypesettingPool;
};
export type TypesetRow = { letter: SetLetter; faults: null } | { letter: null; faults: RowFault[] };

/**
 * Typesets the letters of these rows and passes each to `use`, in no certain order. Returns the results of `use` in the
 * order of the rows. Throws as `mergeLetter`, except for a letter that cannot be typeset.
 */
export async function typesetRows<Result>(
  rows: readonly { cells: readonly string[] }[],
  work: Typesetting,
  use: (set: TypesetRow, index: number) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = rows.entries();
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  async function runNext(): Promise<void> {
    for (const [index, { cells }] of queue) {
      stop.throwIfAborted();
      results[index] = await use(await typesetRow(cells, work, stop), index);
    }
  }
  const runs = Array.from({ length: concurrency }, () =>
    runNext().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  // All of them: what `use` works with is removed when this returns.
  await Promise.allSettled(runs);
  stop.throwIfAborted();
  return results;
}

async function typesetRow(
  cells: readonly string[],
  { version, mapping, zone, typesetting }: Typesetting,
  signal: AbortSignal,
): Promise<TypesetRow> {
  const variables = readVariables(cells, mapping, { version, zone });
  const columnOf = (name: string) => {
    const column = mapping.variables.find((each) => each.name === name)?.column;
    const field = fieldOf(name, mapping);
    return column ?? (field ? columnOfField(mapping, field) : null);
  };
  const faults = findVariableFaults(version, variables).map(
    ({ name, message }): RowFault => ({ column: columnOf(name), code: 'bad_variable', detail: message }),
  );
  if (faults.length > 0) return { letter: null, faults };
  try {
    return { letter: await mergeLetter(version, variables, { typesetting }, signal), faults: null };
  } catch (error) {
    if (!(error instanceof LetterError)) throw error;
    return { letter: null, faults: [{ column: null, code: 'bad_document', detail: error.message }] };
  }
}
