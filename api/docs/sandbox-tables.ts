import { errorTable } from '#common/errors.ts';
import {
  type CopyOutcome,
  copyOutcomes,
  type RequestOutcome,
  requestOutcomes,
  sandboxPrefix,
} from '#common/sandbox/steps/sandbox-outcomes.ts';
import { code, markdownTable } from './markdown-table.ts';

/** Returns the tables of the outcomes in the sandbox, by the name of their placeholder. */
export function sandboxTables(): Record<string, string> {
  const copies = Object.entries<CopyOutcome>(copyOutcomes);
  const requests = Object.entries<RequestOutcome>(requestOutcomes);
  return {
    'sandbox-copies': markdownTable(
      ['`line1`', 'The copy'],
      copies.map(([name, { effect }]) => [code(sandboxPrefix + name), effect]),
    ),
    'sandbox-requests': markdownTable(
      ['`Bluejay-Sandbox`', 'Answer', 'The request'],
      requests.map(([name, { effect, code: errorCode }]) => [
        code(name),
        `${errorTable[errorCode].status} ${code(errorCode)}`,
        effect,
      ]),
    ),
  };
}
