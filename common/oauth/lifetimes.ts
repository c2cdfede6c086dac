import { dayMs, hourMs } from '#common/clock.ts';

const secondMs = 1_000;

/** Lifetimes of codes, tokens and grants, in milliseconds. */
export const lifetimes = {
  codeMs: 60 * secondMs,
  accessTokenMs: hourMs,
  /** From the last use: an application that refreshes within 60 days keeps its access. */
  refreshTokenMs: 60 * dayMs,
  /** After this the user must consent again, however often tokens were refreshed. */
  grantMs: 365 * dayMs,
  /** A repeated refresh within this time returns the same response, because the first may have been lost. */
  graceMs: 30 * secondMs,
  /** Ended grants are kept this long to recognize their codes and tokens. */
  keptAfterEndMs: 30 * dayMs,
} as const;
