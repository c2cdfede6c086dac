import { type Attempt, type RecordDeps, recordAttempts } from './record-attempts.ts';

/** Records attempts of all endpoints together. */
export type AttemptRecorder = {
  /** Settles when the attempt is on record; rejects when that failed, and the delivery will go out again. */
  record(attempt: Attempt): Promise<void>;
};

const maxTogether = 500;

type Waiting = { attempt: Attempt } & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

/**
 * What comes while a write is under way is written with the next one: alone at once when there is little to do, by the
 * hundred when there is much. Whoever posts waits for his record before the next post, so that a process that dies
 * repeats no more than what was under way.
 */
export function createAttemptRecorder(deps: RecordDeps): AttemptRecorder {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.slice(0, maxTogether);
      waiting = waiting.slice(maxTogether);
      try {
        await recordAttempts(
          some.map(({ attempt }) => attempt),
          deps,
        );
        for (const { resolve } of some) resolve();
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    isWriting = false;
  }

  return {
    record(attempt) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ attempt, resolve, reject });
      if (!isWriting) {
        isWriting = true;
        // Answers that arrived together are there by then.
        setImmediate(() => void write());
      }
      return promise;
    },
  };
}
