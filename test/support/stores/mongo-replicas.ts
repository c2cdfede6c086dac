import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { replicaSet } from '#scripts/local-servers/become-primary.ts';
import { findMongodb } from '#scripts/local-servers/binaries/find-mongodb.ts';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { prepareMongodb } from '#scripts/local-servers/start-mongodb.ts';
import { startListening } from '#scripts/local-servers/start-server.ts';
import { eventually } from '../jest.ts';
import { startFaultProxy } from '../servers/fault-proxy.ts';
import { openMember } from './store-member.ts';

/** The recommended settings of scripts/deploy/high-availability.md. */
const settings = {
  electionTimeoutMillis: 3_000,
  heartbeatIntervalMillis: 1_000,
  catchUpTimeoutMillis: 1_000,
  chainingAllowed: false,
};
const parameters = ['oplogNetworkTimeoutBufferSeconds=2', 'oplogFetcherSteadyStateMaxFetcherRestarts=0'];

export type MongoReplicas = Awaited<ReturnType<typeof startMongoReplicas>>;
type Member = Awaited<ReturnType<typeof startMember>>;

/**
 * Starts a replica set of three members. Each is known to the others and to clients by the address of a proxy, so that a
 * test can cut it off: it then hears nothing more from anyone, while what it sends still arrives.
 */
export async function startMongoReplicas() {
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-replicas-'));
  const keeper = await startKeeper();
  const binary = await findMongodb({ environment: process.env, allowDownload: true, report: () => {} });
  const options = { keeper, binary, isTest: true, parameters };
  const members = await Promise.all(
    ['1', '2', '3'].map((number) => startMember({ ...options, dataDir: join(dataDir, number) })),
  );
  const configs = members.map(({ host }, _id) => ({ _id, host, priority: 1 }));
  await askMember(members[0], { replSetInitiate: { _id: replicaSet, members: configs, settings } });

  async function statesOf(asked: Member): Promise<string[]> {
    const status = await askMember(asked, { replSetGetStatus: 1 });
    return status.members.map(({ stateStr }: { stateStr: string }) => stateStr).sort();
  }
  async function findPrimary(): Promise<Member> {
    const answers = members.map(async (member) => {
      const { isWritablePrimary } = await askMember(member, { hello: 1 }).catch(() => ({ isWritablePrimary: false }));
      return isWritablePrimary ? [member] : [];
    });
    const [primary] = (await Promise.all(answers)).flat();
    if (!primary) throw new Error('The replica set has no primary.');
    return primary;
  }
  /** Waits until all members have joined, after the start and after the return of one. Returns the primary. */
  async function settle(): Promise<Member> {
    return await eventually(async () => {
      const primary = await findPrimary();
      const states = await statesOf(primary);
      if (states.join() !== 'PRIMARY,SECONDARY,SECONDARY') throw new Error(`The members are ${states.join()}`);
      return primary;
    });
  }
  await settle();

  return {
    environment: {
      MONGODB_URI: `mongodb://${members.map(({ host }) => host).join(',')}/replicas?replicaSet=${replicaSet}`,
    },
    settle,
    async close(): Promise<void> {
      for (const member of members) member.wake();
      await keeper.close();
      await Promise.all(members.map(({ proxy }) => proxy.close()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startMember(options: Parameters<typeof prepareMongodb>[0]) {
  const { port, member: program } = await prepareMongodb(options);
  const start = () => startListening(options.keeper, program, port);
  const proxy = await startFaultProxy(`mongodb://127.0.0.1:${port}`);
  const member = openMember({ port, process: await start(), restart: start });
  return {
    ...member,
    proxy,
    /** The address by which the others and all clients know it. */
    host: new URL(proxy.url).host,
    /** Makes it give up being the primary. It does not stand for election again before `standAgain`. */
    async stepDown(): Promise<void> {
      await askMember(member, { replSetStepDown: 120, secondaryCatchUpPeriodSecs: 10 });
    },
    async standAgain(): Promise<void> {
      await askMember(member, { replSetFreeze: 0 });
    },
  };
}

/** Asks one member, not through its proxy. Fails after 2 s. */
async function askMember(member: { port: number } | undefined, command: Record<string, unknown>) {
  const client = new mongoose.mongo.MongoClient(`mongodb://127.0.0.1:${member?.port}`, {
    ...{ directConnection: true, serverSelectionTimeoutMS: 2_000, connectTimeoutMS: 2_000, socketTimeoutMS: 15_000 },
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}
