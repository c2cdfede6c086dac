import { createRequire } from 'node:module';
import mongoose from 'mongoose';
import type { Schedule } from './schedule.ts';

type Operation = { commandName: string; ns: { db: string; collection: string }; command?: Record<string, unknown> };
type Send = (operation: Operation, ...rest: unknown[]) => Promise<unknown>;

/** The class of the driver that sends all commands. The driver does not export it. */
const { Server } = createRequire(createRequire(import.meta.url).resolve('mongoose'))('mongodb/lib/sdam/server') as {
  Server: { prototype: { command: Send } };
};

/**
 * Runs the actors of a race on the connected database. Each command that they send to it is a step of the schedule. One
 * is executed at a time, unless another transaction blocks it. The back-off before a retry depends on the seed too.
 */
export async function raceOnStore(schedule: Schedule, actors: Parameters<Schedule['race']>[0]): Promise<void> {
  const { command: send } = Server.prototype;
  const { random } = Math;
  Server.prototype.command = function (this: unknown, operation, ...rest) {
    const { commandName, ns, command = {} } = operation;
    const [name, collection] = Object.entries(command)[0] ?? [commandName, ns.collection];
    const run = () => send.call(this, operation, ...rest);
    // The driver sends the end of a transaction to another database.
    const isOurs = ns.db === mongoose.connection.name || name.endsWith('Transaction');
    return isOurs ? schedule.step(`${name} ${collection}`, run) : run();
  };
  Math.random = schedule.random;
  try {
    await schedule.race(actors);
  } finally {
    Server.prototype.command = send;
    Math.random = random;
  }
}
