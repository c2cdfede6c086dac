// Level: push
import { createRenderSlots, type RenderSlots } from '#common/documents/isolation/render-slots.ts';
import { MailJob, type MailJobRecord, renderWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { renderMailJob } from '#common/mail-jobs/render/render-mail-job.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { expect, test } from '#test/support/jest.ts';
import { aPdf, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const world = startWorld({ environment: { SANDBOX_STEP_DELAY_S: '3600' } });

test('the files of a letter are downloaded only after it has acquired a slot for rendering', async () => {
  const customer = await world.customer();
  const files = [{ s3Key: await upload(customer, await aPdf(1)) }, { s3Key: await upload(customer, await aPdf(1)) }];
  const { body } = await customer.send({ pages: 2, files });
  const claim = await claimDue<MailJobRecord>(renderWork, body.mailJobId, new Date());

  const steps: string[] = [];
  const store: ObjectStore = {
    ...world.store,
    async get(object) {
      steps.push('fetched');
      return await world.store.get(object);
    },
  };
  const own = createRenderSlots();
  const slots: RenderSlots = {
    async acquire(...asked: Parameters<RenderSlots['acquire']>) {
      const slot = await own.acquire(...asked);
      steps.push('has a slot');
      return slot;
    },
  };
  await renderMailJob(claim!, { ...world.workersOptions, store, slots }, new AbortController().signal);
  expect(steps).toEqual(['has a slot', 'fetched', 'fetched']);
  const { printFile } = await MailJob.findById(body.mailJobId).orFail().lean<MailJobRecord>();
  expect(printFile).toMatchObject({ pageCount: 2 });
});
