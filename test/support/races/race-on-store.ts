import { onCommand } from './on-command.ts';
import type { Schedule } from './schedule.ts';

/**
 * Runs the actors of a race on the connected database. Each command that they send to it is a step of the schedule. One
 * is executed at a time, unless another transaction blocks it. The back-off before a retry depends on the seed too.
 */
export async function raceOnStore(schedule: Schedule, actors: Parameters<Schedule['race']>[0]): Promise<void> {
  const { random } = Math;
  Math.random = schedule.random;
  try {
    await onCommand(
      ({ name }, run) => schedule.step(name, run),
      () => schedule.race(actors),
    );
  } finally {
    Math.random = random;
  }
}
