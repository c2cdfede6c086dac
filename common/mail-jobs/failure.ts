/** Why a job or an item failed; the code for programs, the message for people. */
export type Failure = { code: FailureCode; message: string };

export const failureCodes = [
  'PAGE_COUNT_MISMATCH',
  'FILE_UNREADABLE',
  'FILE_CHANGED',
  'FILE_TYPE_MISMATCH',
  'PRINT_FAILED',
  'DEPOSIT_FAILED',
  'CANCELLED',
  'SIMULATED',
] as const;
export type FailureCode = (typeof failureCodes)[number];
