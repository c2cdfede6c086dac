import mongoose from 'mongoose';

export type FailCommand = {
  command: 'find' | 'insert';
  collection: string;
  /** How often it fails, or how often it passes before it fails for good. */
  mode: { times: number } | { skip: number };
  /** Names the connections that it fails for. */
  appName: string;
};

/**
 * Lets the server refuse a command on one collection of this world, with an error that nobody retries. The server has
 * one such fail point, and all test files share the server: only `fail-command.test.ts` may use it.
 */
export async function failCommand({ command, collection, mode, appName }: FailCommand): Promise<void> {
  const namespace = `${mongoose.connection.name}.${collection}`;
  const data = { failCommands: [command], namespace, errorCode: 13, appName };
  await admin().command({ configureFailPoint: 'failCommand', mode, data });
}

/** Lets the server hang up on so many reads of one collection. */
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

/** Ends it; how often it was met. */
export async function stopFailing(): Promise<number> {
  return (await admin().command({ configureFailPoint: 'failCommand', mode: 'off' })).count;
}

const admin = () => mongoose.connection.getClient().db('admin');

/**
 * Lets every commit of these connections fail until `stopFailing`: unheard (the server hangs up before it looks) or
 * unconfirmed (it is applied, but its answer does not say so).
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
