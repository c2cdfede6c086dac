// Level: ci
import { plusMs } from '#common/clock.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { removeTestPrintFiles } from '#common/production/retention/retain.ts';
import { StorageUse } from '#common/uploads/storage-use.model.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { aPdf, type Customer, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openWebHost } from '#test/support/web/web-host.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

describe('print files of test letters', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();

  async function rendered(customer: Customer): Promise<MailJobRecord> {
    const files = [{ s3Key: await upload(customer, await aPdf(1)) }];
    const { body } = await customer.send({ files });
    await eventually(async () => expect((await read(body.mailJobId)).printFile).not.toBeNull());
    return await read(body.mailJobId);
  }

  test('are removed after 7 days, as the letter page says, while live ones stay', async () => {
    const customer = await world.customer();
    const letter = await rendered(customer);
    const live = await rendered(await world.customer({ mode: 'live', balanceCents: 100_000 }));
    const { s3Key, renderedAt } = letter.printFile!;
    const storedBytes = async () => (await StorageUse.findById(`${customer.organizationId} test`).orFail()).bytes;
    const uploadedBytes = letter.files[0]!.sizeBytes;
    const withPrintFile = uploadedBytes + letter.printFile!.sizeBytes;
    await eventually(async () => expect(await storedBytes()).toBe(withPrintFile));
    const lastAt = new Date(Math.max(renderedAt.getTime(), live.printFile!.renderedAt.getTime()));

    await removeTestPrintFiles(world, plusMs(renderedAt, weekMs - 1));
    expect(await world.store.head(s3Key)).not.toBeNull();
    await Promise.all([1, 2].map(() => removeTestPrintFiles(world, plusMs(lastAt, weekMs))));
    expect(await storedBytes()).toBe(uploadedBytes);
    expect(await world.store.head(s3Key)).toBeNull();
    expect(await world.store.head(live.printFile!.s3Key)).not.toBeNull();
    const { printFile, updatedAt } = await read(letter._id);
    expect(printFile).toEqual({ ...letter.printFile, removeAt: undefined, removedAt: plusMs(lastAt, weekMs) });
    expect(updatedAt).toEqual(letter.updatedAt);

    const host = await openWebHost(world);
    const visitor = await host.signedIn({ organizationId: customer.organizationId });
    const page = await visitor.get(`/en/account/letters/${letter._id}`);
    expect(page.text).toContain('The pages of this letter are no longer kept.');
    expect((await visitor.get(`/en/account/letters/${letter._id}/pages/1`)).status).toBe(404);
    await host.close();
  });

  test('a failed deletion is retried after an hour and does not block others', async () => {
    const customer = await world.customer();
    const [stuck, other] = [await rendered(customer), await rendered(customer)];
    const at = plusMs(other.printFile!.renderedAt, weekMs);
    const store: ObjectStore = {
      ...world.store,
      async delete(key) {
        if (key === stuck.printFile!.s3Key) throw new Error('Object locked');
        await world.store.delete(key);
      },
    };
    await removeTestPrintFiles({ store, log: world.log }, at);
    expect(await world.store.head(other.printFile!.s3Key)).toBeNull();
    expect((await read(stuck._id)).printFile).toMatchObject({ removeAt: plusMs(at, 60 * 60 * 1000) });
    await removeTestPrintFiles(world, plusMs(at, 60 * 60 * 1000));
    expect(await world.store.head(stuck.printFile!.s3Key)).toBeNull();
  });
});
