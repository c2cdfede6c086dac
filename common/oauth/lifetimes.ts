const secondMs = 1_000;
const hourMs = 60 * 60 * secondMs;
const dayMs = 24 * hourMs;

/** How long what is handed out lives, in milliseconds. */
export const lifetimes = {
  codeMs: 60 * secondMs,
  accessTokenMs: hourMs,
  /** From its last use: an application that comes back every 60 days keeps its access. */
  refreshTokenMs: 60 * dayMs,
  /** After this the user is asked again, whatever was refreshed. */
  grantMs: 365 * dayMs,
  /** The answer to a refresh may be lost on the way: for so long the same question gets the same answer. */
  graceMs: 30 * secondMs,
  /** What has ended is kept a while, so that its codes and tokens are still known for what they are. */
  keptAfterEndMs: 30 * dayMs,
} as const;
