import { AsyncLocalStorage } from 'node:async_hooks';
import { basename } from 'node:path';
import { type Command, onCommand } from '../races/on-command.ts';
import { onFileStep } from './on-file-step.ts';

/** What befalls a process before a step: it dies, or it stands still while the others do `meanwhile`. */
export type Strike = { kind: 'death' } | { kind: 'pause'; meanwhile: () => Promise<void> };

/** Ends a dead process: each of its further steps throws this. */
class Killed extends Error {
  override readonly name = 'Killed';
}

/**
 * Runs `work` as a process that is struck before its `nth` command to the database or operation on files. Returns the
 * name of that step, null when the work has fewer steps. A process is not paused within a transaction: its locks would
 * hold up the others until the database ends it. Errors of a struck process are ignored.
 */
export async function strikeAtStep(nth: number, strike: Strike, work: () => Promise<unknown>): Promise<string | null> {
  const isStruck = new AsyncLocalStorage<true>();
  let count = 0;
  let struckAt: string | null = null;
  let isDead = false;
  let pause: Promise<void> | null = null;

  async function before({ name, hasLocks }: Pick<Command, 'name' | 'hasLocks'>): Promise<void> {
    await pause;
    if (isDead && !/^(abortTransaction|endSessions)/.test(name)) throw new Killed(name);
    if (struckAt !== null || (strike.kind === 'pause' && hasLocks)) return;
    count += 1;
    if (count !== nth) return;
    struckAt = name;
    if (strike.kind === 'death') {
      isDead = true;
      throw new Killed(name);
    }
    pause = isStruck.exit(strike.meanwhile);
    await pause;
  }

  const ifStruck = async (command: Pick<Command, 'name' | 'hasLocks'>) => {
    if (isStruck.getStore()) await before(command);
  };
  const onCommands = () =>
    onCommand(
      async (command, run) => {
        await ifStruck(command);
        return await run();
      },
      () => isStruck.run(true, work),
    );
  const onFiles = (step: string, path: string) => ifStruck({ name: `${step} ${basename(path)}`, hasLocks: false });
  await onFileStep(onFiles, onCommands).catch((error: unknown) => {
    if (struckAt === null) throw error;
  });
  return struckAt;
}
