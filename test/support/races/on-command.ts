import { createRequire } from 'node:module';
import mongoose from 'mongoose';

type Operation = {
  commandName: string;
  ns: { db: string; collection: string };
  command?: Record<string, unknown>;
  session?: { inTransaction(): boolean; transaction: { isStarting: boolean } } | undefined;
};
type Send = (operation: Operation, ...rest: unknown[]) => Promise<unknown>;

/** A command to the connected database, such as `update mail_jobs`. `hasLocks`: its transaction has begun before it. */
export type Command = { name: string; isInTransaction: boolean; hasLocks: boolean };

/** The class of the driver that sends all commands. The driver does not export it. */
const { Server } = createRequire(createRequire(import.meta.url).resolve('mongoose'))('mongodb/lib/sdam/server') as {
  Server: { prototype: { command: Send } };
};

/** Runs `work`, in which `around` sends each command to the connected database by calling `run`, or fails it. */
export async function onCommand<T>(
  around: (command: Command, run: () => Promise<unknown>) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const { command: send } = Server.prototype;
  Server.prototype.command = function (this: unknown, operation, ...rest) {
    const { commandName, ns, command = {}, session } = operation;
    const [name, collection] = Object.entries(command)[0] ?? [commandName, ns.collection];
    const run = () => send.call(this, operation, ...rest);
    // The driver sends the end of a transaction to another database.
    const isOurs = ns.db === mongoose.connection.name || name.endsWith('Transaction');
    const isInTransaction = session?.inTransaction() ?? false;
    const hasLocks = isInTransaction && !session?.transaction.isStarting;
    return isOurs ? around({ name: `${name} ${collection}`, isInTransaction, hasLocks }, run) : run();
  };
  try {
    return await work();
  } finally {
    Server.prototype.command = send;
  }
}
