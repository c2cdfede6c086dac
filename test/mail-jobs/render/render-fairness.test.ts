// Level: ci
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { slowPdf } from '#test/support/documents/hostile-pdfs.ts';
import { eventually, expect, test } from '#test/support/jest.ts';
import { type Customer, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const slowLetters = 20;

const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();

async function waitForPrintFile(customer: Customer): Promise<void> {
  const id = await customer.sendAccepted();
  await eventually(async () => expect((await read(id)).printFile).not.toBeNull());
}

test("another customer's letters are printed before most of the 20 slow letters sent earlier", async () => {
  const neighbour = await world.customer();
  const greedy = await world.customer();
  const files = [{ s3Key: await upload(greedy, slowPdf()) }];
  const ids: string[] = [];
  for (let sent = 0; sent < slowLetters; sent += 1) ids.push(await greedy.sendAccepted({ files }));
  const own = { _id: { $in: ids } };
  const count = async (filter: object) => await MailJob.countDocuments({ ...own, ...filter });
  try {
    const isClaimed = { 'due.render.leaseToken': { $gt: '' } };
    await eventually(async () => expect(await count(isClaimed)).toBeGreaterThanOrEqual(2));
    for (let round = 0; round < 4; round += 1) await waitForPrintFile(neighbour);
    expect(await count({ printFile: null })).toBeGreaterThan(slowLetters / 2);

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
