/** A request that cannot be met. Its message says what is wrong, `next` what to do. Exit code 1. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly code: string;
  readonly next: string | null;

  constructor(message: string, { code = 'REFUSED', next = null }: { code?: string; next?: string | null } = {}) {
    super(message);
    this.code = code;
    this.next = next;
  }
}

/** A command line that cannot be understood. Exit code 2. */
export class UsageError extends Refusal {
  override readonly name = 'UsageError';

  constructor(message: string, next: string | null = null) {
    super(message, { code: 'USAGE', next });
  }
}

/** The user pressed Ctrl-C or closed the input. Exit code 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
