import { describe, expect, test } from '@jest/globals';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { aLetter } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startWorld } from '../support/world.ts';

const stepMs = 1_000;

describe('the life of a sandbox letter, left alone', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });
  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();

  test.each([
    ['standard', 'posted', ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED']],
    ['prior', 'posted', ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED']],
    ['registered', 'delivered', ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED']],
  ])(
    'given a %s letter, when its steps have passed, then it rests at %s with nothing more due',
    async (serviceType, status, kinds) => {
      const customer = await world.customer();
      const { body } = await customer.http.post('/v1/mails', await aLetter(customer, { serviceType }));
      await eventually(async () => expect((await read(body.mailJobId)).status).toBe(status), { withinMs: 15_000 });
      const job = await read(body.mailJobId);
      expect(job.due).toEqual({});
      const events = await Event.find({ subjectId: job._id }).sort({ _id: 1 }).lean();
      expect(events.map(({ kind }) => kind)).toEqual(kinds);
      expect((job.printedAt?.getTime() ?? 0) - job.createdAt.getTime()).toBeGreaterThanOrEqual(stepMs);
      expect((job.postedAt?.getTime() ?? 0) - (job.printedAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(stepMs);
      expect(job.printFile?.renderedAt.getTime()).toBeLessThanOrEqual(job.printedAt?.getTime() ?? 0);
    },
  );

  test('given a live letter, when it has been rendered, then it stays queued', async () => {
    const customer = await world.customer({ mode: 'live', balanceCents: 10_000 });
    const { body } = await customer.http.post('/v1/mails', await aLetter(customer));
    await eventually(async () => expect((await read(body.mailJobId)).printFile).not.toBeNull(), { withinMs: 15_000 });
    expect(await read(body.mailJobId)).toMatchObject({ status: 'queued', due: {} });
  });

  test('given a letter moved by hand, when its own step would have come, then it waits ten minutes for the next', async () => {
    const customer = await world.customer();
    const { body } = await customer.http.post('/v1/mails', await aLetter(customer));
    const moved = await customer.http.post(`/v1/mails/${body.mailJobId}/simulate`);
    expect(moved.body).toEqual({ mailJobId: body.mailJobId, previousStatus: 'queued', status: 'printed' });
    await eventually(async () => expect((await read(body.mailJobId)).printFile).not.toBeNull(), { withinMs: 15_000 });
    const { status, due, printedAt } = await read(body.mailJobId);
    expect(status).toBe('printed');
    expect((due.step?.at.getTime() ?? 0) - (printedAt?.getTime() ?? 0)).toBe(600_000);
  });
});
