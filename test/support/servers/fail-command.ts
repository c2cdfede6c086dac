import mongoose from 'mongoose';

export type FailCommand = {
  command: 'find' | 'insert';
  collection: string;
  /** The number of failures, or of successes before every command fails. */
  mode: { times: number } | { skip: number };
  /** Only connections with this name fail. */
  appName: string;
};

/**
 * Makes the server refuse a command on one collection of this world, with an error that is not retried. The server has
 * one such fail point, and all test files share the server, so only `fail-command.test.ts` may use it.
 */
export async function failCommand({ command, collection, mode, appName }: FailCommand): Promise<void> {
  const namespace = `${mongoose.connection.name}.${collection}`;
  const data = { failCommands: [command], namespace, errorCode: 13, appName };
  await admin().command({ configureFailPoint: 'failCommand', mode, data });
}

/** Makes the server close the connection on the next `times` reads of a collection. */
export async function hangUpOnFinds({
  appName,
  collection,
  times,
}: {
  appName: string;
  collection: string;
  times: number;
}) {
  const namespace = `${mongoose.connection.name}.${collection}`;
  const data = { failCommands: ['find'], namespace, closeConnection: true, appName };
  await admin().command({ configureFailPoint: 'failCommand', mode: { times }, data });
}

/** Turns the fail point off. Returns how many commands it affected. */
export async function stopFailing(): Promise<number> {
  return (await admin().command({ configureFailPoint: 'failCommand', mode: 'off' })).count;
}

const admin = () => mongoose.connection.getClient().db('admin');

/**
 * Makes every commit of these connections fail until `stopFailing`. `unheard`: the server closes the connection without
 * executing it. `unconfirmed`: it is executed, but the response reports a write concern error.
 */
export async function failCommits(appName: string, how: 'unheard' | 'unconfirmed'): Promise<void> {
  const unconfirmed = { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } };
  const data = {
    failCommands: ['commitTransaction'],
    appName,
    ...(how === 'unheard' ? { closeConnection: true } : unconfirmed),
  };
  await admin().command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data });
}
