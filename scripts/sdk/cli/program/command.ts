import type { Output } from './output.ts';

/** A flag. Without `value` it is a switch. */
export type Flag = {
  /** The placeholder of its value, such as `URL`. */
  value?: string;
  /** The values that it takes. */
  choices?: readonly string[];
  /** The flag may be repeated. */
  multiple?: boolean;
  short?: string;
  help: string;
};

export type Flags = Readonly<Record<string, Flag>>;

/** The values of a command line. A repeated flag has all its values in `all`. */
export type Input = {
  /** Positional arguments. */
  args: readonly string[];
  text(flag: string): string | undefined;
  all(flag: string): readonly string[];
  has(flag: string): boolean;
};

/** What a command gets. */
export type Context = Input & {
  out: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C and requests to end, with an Interrupted. */
  signal: AbortSignal;
};

/** A command of the program. */
export type Command = {
  /** Its words, such as `mails list`. */
  name: string;
  summary: string;
  /** Positional arguments. All are required. */
  args?: readonly string[];
  flags?: Flags;
  examples: readonly string[];
  /** Sentences that follow the summary in the help. */
  notes?: readonly string[];
  /** Throws Refusal, UsageError, Interrupted or an error of the SDK. */
  run(context: Context): Promise<void>;
};

/** Flags of every command. */
export const commonFlags = {
  json: { help: 'Print JSON on standard output, and nothing else there.' },
  url: { value: 'URL', help: 'The URL of the API. Default: BLUEJAY_URL, then that of the login.' },
  profile: { value: 'NAME', help: 'The login to use. Default: BLUEJAY_PROFILE, then "default".' },
} as const satisfies Flags;
