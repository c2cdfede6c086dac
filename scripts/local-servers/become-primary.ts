import { mongo } from 'mongoose';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { OperatorError } from '../program/operator-error.ts';

/** The name of the replica set. */
export const replicaSet = 'bluejay';

const primaryWithinMs = 30_000;

/** Initiates the one-member replica set on the first start, and waits until it accepts writes. Throws OperatorError. */
export async function becomePrimary(host: string): Promise<void> {
  await withServer(host, async (client) => {
    const admin = client.db('admin');
    const config = await client.db('local').collection('system.replset').findOne();
    if (!config) await admin.command({ replSetInitiate: { _id: replicaSet, members: [{ _id: 0, host }] } });
    const isPrimary = async (): Promise<boolean> => (await admin.command({ hello: 1 })).isWritablePrimary;
    if (await pollUntil(isPrimary, { everyMs: 20, withinMs: primaryWithinMs })) return;
    throw new OperatorError(`MongoDB did not become primary within ${primaryWithinMs / 1_000} s.`);
  });
}

/**
 * Sets the member's new address. The server must run without `--replSet`. As a member it would first connect to its old
 * address, where another program may accept the connection and never answer.
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
