/** A request that cannot be met. Its message says what is wrong, `next` what to do. `exit-code.ts` has its exit code. */
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

/** A command line that cannot be understood. */
export class UsageError extends Refusal {
  override readonly name = 'UsageError';

  constructor(message: string, next: string | null = null) {
    super(message, { code: 'USAGE', next });
  }
}

/** A signal, Ctrl-C at a question, or the end of the input there. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP';

  constructor(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' = 'SIGINT') {
    super('stopped');
    this.signal = signal;
  }
}
