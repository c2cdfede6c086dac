// Level: push
import mongoose from 'mongoose';
import { plusMs } from '#common/clock.ts';
import { newId } from '#common/ids.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { tagOf } from '#common/mail-jobs/model/metadata.schema.ts';
import { ReturnedItem } from '#common/mail-jobs/model/returned-item.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aLetter, storeCopies } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import type { Profiled } from '#test/support/servers/profiler.ts';

/** The filters of the list of letters, and how many of 500 letters match each. */
const filters = {
  '': 500,
  'status=queued': 500,
  'status=failed': 0,
  'zone=NATIONAL': 500,
  'zone=INTERNATIONAL': 0,
  'serviceType=standard': 500,
  'serviceType=prior': 0,
  'serviceType=standard&zone=NATIONAL': 500,
  'status=printed&zone=NATIONAL&serviceType=standard': 0,
  'createdAfter=2020-01-01T00:00:00Z': 500,
  'createdBefore=2020-01-01T00:00:00Z': 0,
  'zone=NATIONAL&createdAfter=2020-01-01T00:00:00Z&createdBefore=2020-01-02T00:00:00Z': 0,
  'updatedAfter=2020-01-01T00:00:00Z': 500,
  'updatedAfter=2999-01-01T00:00:00Z': 0,
  'metadata[colour]=red': 500,
  'metadata[colour]=red&metadata[size]=large': 500,
  'metadata[colour]=blue': 0,
  'metadata[colour]=red&metadata[invoice]=one': 1,
  'metadata[colour]=red&createdAfter=2020-01-01T00:00:00Z&zone=NATIONAL': 500,
  'metadata[colour]=red&status=failed': 0,
  'externalId=none': 0,
};

describe('the queries of lists', () => {
  const world = startWorld();
  /** A customer with 500 letters. */
  const customer = openOnce(async () => {
    const owner = await world.customer();
    const letter = await aLetter(owner, { metadata: { colour: 'red', size: 'large' } });
    const { body } = await owner.http.post('/v1/mails', letter);
    await MailJob.updateOne({ _id: body.mailJobId }, { due: {} });
    await storeCopies(body.mailJobId, 499);
    const rare = { metadata: { key: 'invoice', value: 'one' }, metadataTags: tagOf(['invoice', 'one']) };
    await MailJob.updateOne({ _id: body.mailJobId }, { $push: rare });
    return owner;
  });

  test.each(Object.entries(filters))(
    'listing 500 letters by %j reads no more rows than it returns, in order',
    async (filter, fitting) => {
      const { http, organizationId } = customer;
      const profiler = mongoose.connection;
      await profiler.db?.command({ profile: 2 });
      const { nextCursor } = (await http.get(`/v1/mails?limit=7&${filter}`)).body;
      const next = nextCursor === null ? '' : `&cursor=${nextCursor}`;
      const page = await http.get(`/v1/mails?limit=7&${filter}${next}`);
      expect([filter, page.body.data.length]).toEqual([filter, Math.min(7, fitting)]);
      await profiler.db?.command({ profile: 0 });
      const query = { 'command.find': 'mail_jobs', 'command.filter.organizationId': organizationId };
      const reads = await profiler
        .collection<Profiled>('system.profile')
        .find(query)
        .sort({ $natural: -1 })
        .limit(2)
        .toArray();
      for (const { planSummary, hasSortStage = false, docsExamined, nreturned } of reads) {
        expect(planSummary).toMatch(/^IXSCAN/);
        // With the jobs of only one customer, the index of ids is as good as that of the list.
        if (!/^updatedAfter/.test(filter)) expect(planSummary).toContain('organizationId: 1, mode: 1');
        // For a rare metadata entry all its jobs are read, fewer than a thousand.
        if (!/^metadata.*status/.test(filter)) expect(docsExamined).toBe(nreturned);
        // One letter by externalId, and the few recently changed ones, are found by an index of another order.
        if (!/^(externalId|updatedAfter)/.test(filter)) expect(hasSortStage).toBe(false);
        expect(nreturned).toBe(Math.min(8, fitting));
      }
      expect(reads).toHaveLength(2);
    },
  );

  test('listing items that came back reads no more rows than it returns, in order', async () => {
    const { http, organizationId, mode } = customer;
    const [letter] = (await http.get('/v1/mails?limit=1')).body.data;
    const at = Date.now();
    const rows = Array.from({ length: 500 }, (_, n) => ({
      ...{ _id: newId('mi'), organizationId, mode, mailJobId: letter.mailJobId, reason: 'moved' as const },
      at: plusMs(new Date(at), -n),
    }));
    await ReturnedItem.insertMany(rows);
    const profiler = mongoose.connection;
    await profiler.db?.command({ profile: 2 });
    const { nextCursor } = (await http.get('/v1/items?limit=7')).body;
    const since = `updatedAfter=${new Date(at - 20).toISOString()}`;
    for (const query of [`limit=7&cursor=${nextCursor}`, `limit=7&${since}`]) {
      expect(await http.get(`/v1/items?${query}`)).toMatchObject({ status: 200, body: { hasMore: true } });
    }
    await profiler.db?.command({ profile: 0 });
    const query = { 'command.find': 'returned_items', 'command.filter.organizationId': organizationId };
    const reads = await profiler.collection<Profiled>('system.profile').find(query).toArray();
    expect(reads).toHaveLength(3);
    for (const { planSummary, hasSortStage = false, docsExamined = 0, nreturned } of reads) {
      expect([planSummary, hasSortStage]).toEqual(['IXSCAN { organizationId: 1, mode: 1, at: -1, _id: -1 }', false]);
      expect(nreturned).toBe(8);
      // A cursor starts at the last row of the page before.
      expect(docsExamined).toBeLessThanOrEqual(9);
    }
  });
});
