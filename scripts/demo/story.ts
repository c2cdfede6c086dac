import { OperatorError } from '../program/operator-error.ts';
import { terminal } from '../supervisor/terminal.ts';

/** The progress of the demo on the terminal: one line per step, with the time since the start. */
export type Story = {
  /** Prints `✓ Quote                     0.1 s  14.62 EUR`. */
  report(what: string, detail?: string): void;
  /** Runs one step. When it rejects, the error names the step. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
};

export function beginStory(): Story {
  const startMs = performance.now();
  return {
    report(what, detail = '') {
      const elapsed = `${((performance.now() - startMs) / 1_000).toFixed(1)} s`;
      terminal.done(what, `${elapsed.padStart(7)}  ${detail}`.trimEnd());
    },
    async step(name, work) {
      try {
        return await work();
      } catch (error) {
        const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
        const reason = error instanceof Error ? error.message : String(error);
        throw new OperatorError(`${name}: ${reason}${cause}`, { cause: error });
      }
    },
  };
}
