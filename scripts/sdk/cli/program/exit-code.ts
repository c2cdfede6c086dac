import { BluejayError } from '../sdk.ts';
import { Interrupted, Refusal } from './failure.ts';

/** The exit codes of the program, with their lines in the help. */
export const exitCodes = {
  done: [0, 'done'],
  refused: [1, 'refused for another reason'],
  usage: [2, 'wrong command line'],
  key: [3, 'no valid key, or one that may not do this'],
  missing: [4, 'there is no such letter or other resource'],
  state: [5, 'its state does not allow this'],
  funds: [6, 'the wallet cannot pay'],
  rate: [7, 'too many requests: wait, then repeat'],
  service: [8, 'the service failed or cannot be reached: repeat later'],
  document: [9, 'a file or list has errors, also in a dry run'],
} as const;

type Kind = keyof typeof exitCodes;

const kindByStatus: Readonly<Record<number, Kind>> = {
  401: 'key',
  402: 'funds',
  403: 'key',
  404: 'missing',
  409: 'state',
  429: 'rate',
};

const kindByCode: Readonly<Record<string, Kind>> = {
  USAGE: 'usage',
  NO_KEY: 'key',
  UNAUTHORIZED: 'key',
  CANNOT_BE_PRINTED: 'document',
  LIST_HAS_FAULTS: 'document',
  INVALID_FILE: 'document',
  INSUFFICIENT_FUNDS: 'funds',
  TIMEOUT: 'service',
  CONNECTION_ERROR: 'service',
};

/** Signals that end the program, with the exit codes that shells give them: 128 and the number of the signal. */
export const signalCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Returns the exit code of what a command has thrown. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return signalCodes[error.signal];
  return exitCodes[kindOf(error)][0];
}

function kindOf(error: unknown): Kind {
  if (error instanceof Refusal) return kindByCode[error.code] ?? 'refused';
  if (!(error instanceof BluejayError)) return kindByCode[(error as { code?: string } | null)?.code ?? ''] ?? 'refused';
  const { status, code } = error;
  // The SDK itself has found that a file cannot be printed.
  if (status === null && code === 'VALIDATION_ERROR') return 'document';
  if (status !== null && status >= 500) return 'service';
  return kindByStatus[status ?? 0] ?? kindByCode[code] ?? 'refused';
}

/** Returns the exit codes as lines of the help. */
export function describeExitCodes(): string {
  const lines = Object.values(exitCodes).map(([code, meaning]) => `  ${String(code).padEnd(3)}  ${meaning}`);
  return ['', 'Exit codes:', ...lines, '  130  Ctrl-C'].join('\n');
}
