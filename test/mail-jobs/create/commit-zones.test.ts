// Level: push
import mongoose from 'mongoose';
import { Registry } from 'prom-client';
import { createMailJob } from '#common/mail-jobs/create/create-mail-job.ts';
import { createMailCommitter } from '#common/mail-jobs/create/mail-committer.ts';
import type { MailRequest } from '#common/mail-jobs/model/mail-request.schema.ts';
import { createZones, findZone, readZoneRanges } from '#common/platform/mongo/zones.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { aSender, type Sender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { type Profiled, startProfiling, stopProfiling } from '#test/support/servers/profiler.ts';

/** Sends at once of each organization: enough for transactions of several. */
const sendsEach = 12;

describe('transactions of letters in a sharded database', () => {
  const world = startWorld();

  async function sendAll(senders: readonly Sender[], committer: ReturnType<typeof createMailCommitter>) {
    const deps = { ...world.services, mailCommitter: committer };
    const letters = await Promise.all(senders.map((sender) => sender.letter()));
    const sends = senders.flatMap(({ organizationId, mode, keyId }, index) =>
      Array.from({ length: sendsEach }, () => {
        const credential = { id: keyId, scopes: [] };
        const body = letters[index] as MailRequest;
        const request = { body, idempotencyKey: null, owner: { organizationId, mode }, credential };
        return createMailJob(request, deps, new Date());
      }),
    );
    return await Promise.all(sends);
  }

  /** Returns how many wallets each transaction of several letters read. */
  function walletCounts(profiled: readonly Profiled[]): number[] {
    return profiled.flatMap(({ ns, op, command }) => {
      const { _id } = (command?.filter ?? {}) as { _id?: { $in?: unknown[] } };
      return op === 'query' && ns.endsWith('.wallets') && _id?.$in ? [_id.$in.length] : [];
    });
  }

  test('hold organizations of one zone only, and of any organizations without zones', async () => {
    const senders = await Promise.all([aSender(world), aSender(world)]);
    const [first] = senders;
    const zones = {
      refresh: () => undefined,
      zoneOf: (id: string) => (id === first?.organizationId ? 'one' : 'two'),
    };
    const sharded = createMailCommitter(new Registry(), zones);
    await startProfiling();
    expect((await sendAll(senders, sharded)).every(({ isNew }) => isNew)).toBe(true);
    const apart = walletCounts(await stopProfiling());
    expect(apart.length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...apart)).toBe(1);
    await startProfiling();
    await sendAll(senders, createMailCommitter(new Registry()));
    const together = walletCounts(await stopProfiling()).slice(apart.length);
    expect(Math.max(...together)).toBe(2);
    await sharded.drain();
    await expect(sendAll(senders, sharded)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('find the zone of an organization in the ranges that the router stores', async () => {
    const namespace = `${mongoose.connection.name}.mail_jobs`;
    const { MinKey, MaxKey } = mongoose.mongo;
    const tags = mongoose.connection.getClient().db('config').collection('tags');
    const bounds = [new MinKey(), 'org_m', 'org_t', new MaxKey()];
    const rows = ['one', 'two', 'one'].map((tag, index) => {
      const [min, max] = [bounds[index], bounds[index + 1]];
      return { ns: namespace, tag, min: { organizationId: min }, max: { organizationId: max } };
    });
    await tags.insertMany(rows);
    const ranges = await readZoneRanges(namespace);
    await tags.deleteMany({ ns: namespace });
    expect(['org_a', 'org_m', 'org_s', 'org_t'].map((id) => findZone(ranges, id))).toEqual([
      'one',
      'two',
      'two',
      'one',
    ]);
    expect(findZone([], 'org_a')).toBe('');
  });

  test('have no zones in an unsharded database, which is asked once', async () => {
    const zones = createZones('mail_jobs');
    await zones.refresh();
    expect([zones.refresh(), zones.zoneOf('org_a')]).toEqual([undefined, '']);
  });
});
