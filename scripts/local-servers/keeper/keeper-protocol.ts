/** One program that the keeper runs. */
export type KeptProgram = {
  /** The display name: `MongoDB`. */
  name: string;
  command: string;
  args: string[];
  cwd: string;
  environment: Record<string, string>;
  /** A log file to append to, or one of the pipes to the keeper's parent. */
  output: { file: string } | { channel: 0 | 1 };
  /** The file with the identity of the running program. A later start uses it to find orphans of a crash. */
  identityFile: string;
  /** Programs of a higher wave are stopped first, those of the same wave together. */
  wave: number;
  /** Time between SIGTERM and SIGKILL, in milliseconds. */
  stopWithinMs: number;
};

/** How a program ended. Exactly one of the two is not null. */
export type ProgramEnd = { code: number | null; signal: string | null };

export type ToKeeper = { type: 'start'; id: number; program: KeptProgram } | { type: 'stop'; id: number };

export type FromKeeper =
  | { type: 'started'; id: number; pid: number }
  | { type: 'refused'; id: number; message: string }
  | ({ type: 'ended'; id: number } & ProgramEnd);

/**
 * File descriptor of the keeper's first pipe to its parent. The second follows it. 0 to 2 are standard, 3 is the IPC.
 */
export const firstChannelFd = 4;
