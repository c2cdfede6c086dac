// Level: push
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import { MailJob, type MailJobRecord, renderWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { printFileKey } from '#common/mail-jobs/render/print-file-key.ts';
import { renderMailJob } from '#common/mail-jobs/render/render-mail-job.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { removeOldDocuments } from '#common/production/retention/retain.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('a letter that is cancelled while it is rendered', () => {
  const world = startWorld({ environment: { SANDBOX_STEP_DELAY_S: '3600' } });

  /** Renders a letter that is cancelled as its print file is stored. `delete` is that of the worker. */
  async function cancelledMeanwhile(deleteObject: ObjectStore['delete']) {
    const customer = await world.customer({ mode: 'live', balanceCents: 10_000 });
    const { body } = await customer.send();
    const id: string = body.mailJobId;
    const claim = await claimDue<MailJobRecord>(renderWork, id, new Date());
    const cancel = async () => expect((await customer.http.post(`/v1/mails/${id}/cancel`)).status).toBe(200);
    const store: ObjectStore = {
      ...world.store,
      delete: deleteObject,
      async put(object) {
        await cancel();
        return await world.store.put(object);
      },
      async putFile(object) {
        await cancel();
        return await world.store.putFile(object);
      },
    };
    const work = renderMailJob(
      claim!,
      { ...world.workersOptions, store, slots: createRenderSlots() },
      new AbortController().signal,
    );
    await work.catch(() => undefined);
    expect(await MailJob.findById(id).lean()).toMatchObject({ status: 'failed', printFile: null });
    return printFileKey(customer.organizationId, id);
  }

  test('leaves no print file in the store', async () => {
    const key = await cancelledMeanwhile((name) => world.store.delete(name));
    expect(await world.store.head(key)).toBeNull();
  });

  test('leaves none after the days of retention when its worker died', async () => {
    const key = await cancelledMeanwhile(() => Promise.reject(new Error('killed')));
    expect(await world.store.head(key)).not.toBeNull();
    const inAMonth = new Date(Date.now() + 30 * 24 * 3_600_000);
    await removeOldDocuments({ documentDays: 30, addressDays: null }, world, inAMonth);
    expect(await world.store.head(key)).toBeNull();
  });
});
