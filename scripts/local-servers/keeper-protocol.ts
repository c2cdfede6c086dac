/** One program that the keeper runs. */
export type KeptProgram = {
  /** For people: `MongoDB`. */
  name: string;
  command: string;
  args: string[];
  cwd: string;
  environment: Record<string, string>;
  /** A log file to append to, or one of the pipes to the keeper's own parent. */
  output: { file: string } | { channel: 0 | 1 };
  /** Where the running program's identity stands, so that a later start can find what a crash left behind. */
  identityFile: string;
  /** Programs of a higher wave are stopped first, those of one wave together. */
  wave: number;
  /** How long it may take from SIGTERM to its end, before SIGKILL; milliseconds. */
  stopWithinMs: number;
};

/** How a program ended: exactly one of the two is not null. */
export type ProgramEnd = { code: number | null; signal: string | null };

export type ToKeeper = { type: 'start'; id: number; program: KeptProgram } | { type: 'stop'; id: number };

export type FromKeeper =
  | { type: 'started'; id: number; pid: number }
  | { type: 'refused'; id: number; message: string }
  | ({ type: 'ended'; id: number } & ProgramEnd);

/** The keeper's first pipe to its parent; the second has the next number. 0 to 2 are the usual three, 3 is the IPC. */
export const firstChannelFd = 4;
