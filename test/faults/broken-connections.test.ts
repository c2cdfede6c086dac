// Level: ci
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { afterAll, beforeAll, byLevel, describe, eventually, expect, test } from '../support/jest.ts';
import { killStartedPrograms } from '../support/processes/process-control.ts';
import { type ApiProcess, startApis, stopApis } from '../support/product/api-fleet.ts';
import { aSender, createClient, ledgerOf, type Sender } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { type FaultProxy, startFaultProxy } from '../support/servers/fault-proxy.ts';
import { expectInvariants } from '../support/wallet/invariants.ts';

describe('an API process whose connections to a healthy database break', () => {
  const world = startWorld({ isImpatient: true });
  let proxy: FaultProxy;
  let apis: ApiProcess[] = [];

  beforeAll(async () => {
    const server = new URL(world.config.mongo.url);
    // Otherwise the driver would discover the server's address and bypass the proxy.
    server.searchParams.delete('replicaSet');
    server.searchParams.set('directConnection', 'true');
    // How often the driver checks for a lost server.
    server.searchParams.set('heartbeatFrequencyMS', '500');
    proxy = await startFaultProxy(server.href);
    apis = await startApis(world, 1, { MONGODB_URI: proxy.url });
  });
  afterAll(async () => {
    await stopApis(apis);
    await proxy.close();
    await killStartedPrograms();
  });

  /**
   * Lets the server execute the next commit, and breaks all connections before its response, the commit's last: the driver
   * omits its label for a command whose connection is older than the last break it has noticed.
   */
  async function withUnansweredCommit<T>(work: () => Promise<T>): Promise<T> {
    // The driver's monitor sends this on its own connection.
    const isBroken = proxy.breakAtAnswer({ request: 'commitTransaction', noticed: 'maxAwaitTimeMS' });
    const answer = work();
    await isBroken;
    return await answer;
  }
  /** Sends through the process behind the proxy. */
  const clientOf = ({ key }: Sender) => createClient(apis[0]?.url ?? '', key);
  const jobsOf = async ({ organizationId }: Sender) => await MailJob.find({ organizationId }).lean<MailJobRecord[]>();

  test('answers 201 for a letter whose commit was executed and never answered', async () => {
    const sender = await aSender(world);
    const before = await ledgerOf(sender);
    const letter = await sender.letter();
    const send = () => clientOf(sender).post('/v1/mails', letter);
    const { status, body } = await withUnansweredCommit(send);
    const jobs = await jobsOf(sender);
    expect([status, jobs.length]).toEqual([201, 1]);
    expect(body.mailJobId).toBe(jobs[0]?._id);
    expect((await ledgerOf(sender)).length - before.length).toBe(1);
    await expectInvariants();
  });

  test('moves a letter one step when simulate is committed and never answered', async () => {
    const sender = await aSender(world);
    const { body: letter } = await sender.send();
    const simulate = () => clientOf(sender).post(`/v1/mails/${letter.mailJobId}/simulate`, {});
    const { status, body } = await withUnansweredCommit(simulate);
    const [job] = await jobsOf(sender);
    expect([status, body.previousStatus, body.status, job?.status]).toEqual([200, 'queued', 'printed', 'printed']);
    await expectInvariants();
  });

  test('never answers 503 for a stored letter while connections keep breaking under load', async () => {
    const sender = await aSender(world, { balanceCents: 100_000_000 });
    const entriesBefore = (await ledgerOf(sender)).length;
    const letter = await sender.letter();
    const breaks = byLevel({ quick: 30, full: 50, long: 100 });
    const senders = 24;
    const statuses = new Map<string, number>();
    let isOver = false;
    const sendOn = async (lane: number) => {
      for (let n = 0; !isOver; n += 1) {
        const externalId = `${lane}-${n}`;
        const { status } = await clientOf(sender).post('/v1/mails', { ...letter, externalId });
        statuses.set(externalId, status);
      }
    };

    const sending = Promise.all(Array.from({ length: senders }, (_, lane) => sendOn(lane)));
    for (let broken = 0; broken < breaks; broken += 1) {
      const seen = statuses.size;
      await eventually(() => expect(statuses.size).toBeGreaterThan(seen + senders));
      // At the worst moment every other time, otherwise at any moment.
      if (broken % 2 === 0) await proxy.breakAtAnswer({ request: 'commitTransaction' });
      else proxy.breakAll();
    }
    isOver = true;
    await sending;

    const jobs = await jobsOf(sender);
    const storedIds = new Set(jobs.map(({ externalId }) => externalId));
    const refused = [...statuses].filter(([, status]) => status !== 201);
    expect(refused.filter(([externalId]) => storedIds.has(externalId))).toEqual([]);
    expect(refused.filter(([, status]) => status !== 503)).toEqual([]);
    expect(storedIds.size + refused.length).toBe(statuses.size);
    const debits = (await ledgerOf(sender)).slice(entriesBefore);
    expect(debits.map(({ mailJobId }) => mailJobId).sort()).toEqual(jobs.map(({ _id }) => _id).sort());
    await expectInvariants();
  });
});
