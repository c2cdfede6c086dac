import { setTimeout as pause } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { OperatorError } from '../operator-error.ts';

/** The name of the set, as `--replSet` and the address take it. */
export const replicaSet = 'bluejay';

const primaryWithinMs = 30_000;

/** Makes the one-member set at the first start, and waits until its member takes writes. Throws OperatorError. */
export async function becomePrimary(host: string): Promise<void> {
  await withServer(host, async (client) => {
    const admin = client.db('admin');
    const config = await client.db('local').collection('system.replset').findOne();
    if (!config) await admin.command({ replSetInitiate: { _id: replicaSet, members: [{ _id: 0, host }] } });
    const deadline = performance.now() + primaryWithinMs;
    while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
      if (performance.now() > deadline) throw new OperatorError('MongoDB did not become the primary of its own set.');
      await pause(20);
    }
  });
}

/**
 * Gives the set's member its new address. The server must run without its set: within it, it would first look for
 * itself at the old address, where another program may now listen and say nothing.
 */
export async function renameMember(host: string): Promise<void> {
  await withServer(host, async (client) => {
    const configs = client.db('local').collection('system.replset');
    await configs.updateMany({}, { $set: { 'members.0.host': host } }, { writeConcern: { w: 1, journal: true } });
  });
}

async function withServer(host: string, use: (client: mongo.MongoClient) => Promise<void>): Promise<void> {
  const client = new mongo.MongoClient(`mongodb://${host}/?directConnection=true`);
  try {
    await use(client);
  } finally {
    await client.close();
  }
}
