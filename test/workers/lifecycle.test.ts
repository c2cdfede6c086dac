// Level: push
import { Event } from '#common/events/event.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, eventually, expect, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';

const stepMs = 1_000;

describe('the automatic steps of a sandbox letter', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });
  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();

  test.each([
    ['standard', 'posted', ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED']],
    ['prior', 'posted', ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED']],
    ['registered', 'delivered', ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED']],
  ])('a %s letter ends at %s with nothing more due', async (serviceType, status, kinds) => {
    const customer = await world.customer();
    const { body } = await customer.send({ serviceType });
    await eventually(async () => expect((await read(body.mailJobId)).status).toBe(status));
    const job = await read(body.mailJobId);
    expect(job.due).toEqual({});
    const events = await Event.find({ subjectId: job._id }).sort({ _id: 1 }).lean();
    expect(events.map(({ kind }) => kind)).toEqual(kinds);
    expect((job.printedAt?.getTime() ?? 0) - job.createdAt.getTime()).toBeGreaterThanOrEqual(stepMs);
    expect((job.postedAt?.getTime() ?? 0) - (job.printedAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(stepMs);
    expect(job.printFile?.renderedAt.getTime()).toBeLessThanOrEqual(job.printedAt?.getTime() ?? 0);
  });

  test('a live letter stays queued after rendering', async () => {
    const customer = await world.customer({ mode: 'live', balanceCents: 10_000 });
    const { body } = await customer.send();
    await eventually(async () => expect((await read(body.mailJobId)).printFile).not.toBeNull());
    expect(await read(body.mailJobId)).toMatchObject({ status: 'queued', due: {} });
  });

  test('after a simulated step the next automatic step is due in ten minutes', async () => {
    const customer = await world.customer();
    const { body } = await customer.send();
    const moved = await customer.http.post(`/v1/mails/${body.mailJobId}/simulate`);
    expect(moved.body).toEqual({ mailJobId: body.mailJobId, previousStatus: 'queued', status: 'printed' });
    await eventually(async () => expect((await read(body.mailJobId)).printFile).not.toBeNull());
    const { status, due, printedAt } = await read(body.mailJobId);
    expect(status).toBe('printed');
    expect((due.step?.at.getTime() ?? 0) - (printedAt?.getTime() ?? 0)).toBe(600_000);
  });
});
