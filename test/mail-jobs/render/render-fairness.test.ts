import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { slowPdf } from '#test/support/documents/hostile-pdfs.ts';
import { eventually, expect, test } from '#test/support/jest.ts';
import { type Customer, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { watchPauses } from '#test/support/races/watch-pauses.ts';

const slowLetters = 20;

const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();

/** Returns the time from the creation of a letter to its print file. */
async function printedAfterMs(customer: Customer): Promise<number> {
  const id = await customer.sendAccepted();
  await eventually(async () => expect((await read(id)).printFile).not.toBeNull());
  const { printFile, createdAt } = await read(id);
  return printFile!.renderedAt.getTime() - createdAt.getTime();
}

test("20 slow letters of one customer delay another's letter by less than 5 s, and are printed", async () => {
  const neighbour = await world.customer();
  const alone = [await printedAfterMs(neighbour), await printedAfterMs(neighbour), await printedAfterMs(neighbour)];
  const aloneMs = alone.sort((a, b) => a - b)[1] ?? 0;

  const greedy = await world.customer();
  const files = [{ s3Key: await upload(greedy, slowPdf()) }];
  const ids: string[] = [];
  for (let sent = 0; sent < slowLetters; sent += 1) ids.push(await greedy.sendAccepted({ files }));
  const own = { _id: { $in: ids } };
  const count = async (filter: object) => await MailJob.countDocuments({ ...own, ...filter });
  try {
    const isClaimed = { 'due.render.leaseToken': { $gt: '' } };
    await eventually(async () => expect(await count(isClaimed)).toBeGreaterThanOrEqual(2));
    const delays: number[] = [];
    for (let round = 0; round < 8 && delays.length < 4; round += 1) {
      const pauses = watchPauses();
      const delayMs = (await printedAfterMs(neighbour).finally(pauses.stop)) - aloneMs;
      // A pause of the machine delays every letter.
      if (pauses.stop() < 500) delays.push(delayMs);
    }
    // Without load a letter takes about 1 s. The limit scales with a slower machine.
    expect(delays).toHaveLength(4);
    expect(Math.max(...delays)).toBeLessThan(5_000 * Math.max(1, aloneMs / 1_000));

    // Letters that wait for the slow slot hold no claim, lose no attempt and are rendered in the end.
    await eventually(async () => expect(await count({ printFile: { $ne: null } })).toBeGreaterThanOrEqual(2));
    const inQueue = await MailJob.find({ ...own, 'due.slowRender.leaseToken': null }).lean<MailJobRecord[]>();
    const counts = inQueue.flatMap(({ due }) => (due.slowRender ? [due.slowRender] : []));
    expect(counts.length).toBeGreaterThan(0);
    expect(counts.filter(({ failures, unfinished }) => failures + unfinished > 0)).toEqual([]);
    expect(await count({ status: 'failed' })).toBe(0);
  } finally {
    // Removes the remaining work, which the workers would otherwise finish on close.
    await MailJob.updateMany(own, { $set: { due: {} } });
    await eventually(async () => expect(await world.hints.listQueued('render', 1)).toEqual([]));
  }
});
