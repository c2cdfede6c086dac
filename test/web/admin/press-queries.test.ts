// Level: ci
import { newId } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { Batch, batchStates } from '#common/production/batches/batch.model.ts';
import { beforeEach, describe, expect, test } from '#test/support/jest.ts';
import { s10Of } from '#test/support/production/s10-of.ts';
import { type Profiled, scansOf, startProfiling, stopProfiling } from '#test/support/servers/profiler.ts';
import { startPressHost, threeRecipients } from '#test/support/web/press-host.ts';

const path = '/admin/press';

describe('the queries of print production in the administration area', () => {
  const { admin, scene, clock, beginDay, inDoubt } = startPressHost();
  beforeEach(beginDay);

  /** Other batches of every state, and letters: in batches, not in a batch, and of the sandbox. */
  async function storeOthers(batchId: string, { externalId: _, batchId: __, ...job }: MailJobRecord): Promise<void> {
    const { _id: ___, ...batch } = await Batch.findById(batchId).orFail().lean();
    const days = Array.from({ length: 40 }, (_day, day) => new Date(clock.now().getTime() - (day + 1) * 86_400_000));
    const batches = days.flatMap((cutoffAt) => batchStates.map((state) => ({ ...batch, state, cutoffAt, due: {} })));
    await Batch.insertMany(
      batches.map((each, part) => ({
        ...each,
        _id: newId('bat'),
        part,
        ...(each.state === 'closed' && { problem: null }),
      })),
    );
    const copies = (count: number, change: object) =>
      Array.from({ length: count }, () => ({
        ...{ ...job, due: {}, ...change, _id: newId('mj') },
        items: job.items.map((item) => ({ ...item, itemId: newId('mi'), zip: '4000' })),
      }));
    await MailJob.insertMany([
      ...copies(300, { batchId: newId('bat') }),
      ...copies(200, {}),
      ...copies(100, { mode: 'test' }),
      ...copies(150, { batchId }),
    ]);
  }

  test('no page, scan or command scans a collection or sorts, and lists read about what they show', async () => {
    const { _id: prior } = await scene.sendRendered({ serviceType: 'prior' });
    const { _id: letter } = await scene.sendRendered({ ...threeRecipients, externalId: 'found' });
    const doubtful = await inDoubt();
    const job = await scene.bringToPress(letter);
    const { batchId = '', items } = job;
    const doubtfulId = doubtful.items[0]?.itemId ?? '';
    await storeOthers(batchId, job);
    const [first, second, third] = items.map(({ itemId }) => itemId) as [string, string, string];
    const { text } = await admin.get(`${path}/${batchId}`);
    const [, next = ''] = /href="\/en([^"]*cursor=[^"]*)"/.exec(text) ?? [];

    await startProfiling();
    for (const page of [
      ...[
        '/admin',
        path,
        `${path}?search=found`,
        `${path}?search=9000`,
        `${path}?search=${letter}`,
        `${path}?search=0`,
      ],
      ...[`${path}/${batchId}`, next.replaceAll('&amp;', '&'), `${path}/${batchId}?status=queued`],
      ...[`${path}/${batchId}/printed`, `${path}/items/${first}`, `${path}/scan?batch=${batchId}`],
      ...[`${path}/receipts`, `${path}/scan?mark=label&batch=${doubtful.batchId}&item=${doubtfulId}`],
    ]) {
      expect([page, (await admin.get(page)).status]).toEqual([page, 200]);
    }
    await admin.send(`${path}/scan?batch=${batchId}`, `${path}/scan`, { code: first });
    await admin.send(`${path}/items/${second}`, `${path}/items/${second}/failed`, { reason: 'Torn.' });
    await admin.send(`${path}/items/${third}`, `${path}/items/${third}/reprint`, { reason: 'Torn.' });
    await admin.send(`${path}/scan?mark=label&item=${doubtfulId}`, `${path}/scan`, { code: s10Of(1) });
    await admin.send(`${path}/scan?mark=posted`, `${path}/scan`, { code: third });
    await admin.send(`${path}/scan?mark=returned&reason=moved`, `${path}/scan`, { code: third });
    const again = `${path}/${doubtful.batchId}/print-again`;
    expect((await admin.send(again, again, {})).status).toBe(303);
    const all = await stopProfiling();
    expect(all.length).toBeGreaterThan(50);
    expect(scansOf(all)).toEqual([]);

    const reads = all.filter(({ op, ns }) => op !== 'update' && /\.(mail_jobs|batches|item_history)$/.test(ns));
    expect(reads.filter(({ hasSortStage }) => hasSortStage).map(({ command }) => JSON.stringify(command))).toEqual([]);
    const isList = ({ command, nreturned = 0 }: Profiled) => command?.find !== undefined && nreturned > 0;
    const lists = reads.filter(isList);
    expect(lists.length).toBeGreaterThan(20);
    // A page shows 50 rows, and a list of batches 100.
    expect(Math.max(...lists.map(({ nreturned = 0 }) => nreturned))).toBeLessThanOrEqual(100);
    for (const { ns, command, docsExamined = 0, nreturned = 0 } of lists) {
      // A problem is not in the index: the few batches of the state are read.
      const isByProblem = ns.endsWith('.batches') && JSON.stringify(command).includes('problem');
      if (!isByProblem)
        expect([JSON.stringify(command?.filter), docsExamined]).toEqual([JSON.stringify(command?.filter), nreturned]);
    }
    expect((await scene.read(doubtful._id)).items).toMatchObject([{ tracking: { number: s10Of(1) } }]);
    expect((await scene.read(letter)).items[2]).toMatchObject({ returned: { reason: 'moved' } });
    expect(await scene.read(prior)).toMatchObject({ status: 'queued' });
  });
});
