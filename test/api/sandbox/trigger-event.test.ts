// Level: push
import { Event, eventKinds } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { eventPayloadSchemas } from '#common/mail-jobs/events/mail-event.schema.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { aSender, eventKindsOf, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock } from '#test/support/sandbox/test-clock.ts';
import { isSignedBy, openReceiver, subscribe } from '#test/support/webhooks/receiver.ts';

describe('POST /v1/sandbox/trigger', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const sender = openOnce(() => aSender(world));
  const trigger = (body: object, from = sender) => from.http.post('/v1/sandbox/trigger', body);

  test.each(eventKinds)('%s about no letter is signed, marked, and as declared', async (event) => {
    const { receiver, secret, settled, end } = await subscribe(sender, [event]);
    const { status, body } = await trigger({ event });
    expect([status, body]).toEqual([
      200,
      { eventId: expect.stringMatching(/^evt_/), event, mailJobId: expect.stringMatching(/^trigger-/) },
    ]);
    await settled({ status: 'delivered', eventId: body.eventId, isManual: false });
    const [received] = receiver.received;
    expect(received?.headers).toMatchObject({ 'x-service-test': 'true', 'x-service-event': event });
    expect(received && isSignedBy(secret, received)).toBe(true);
    expect(eventPayloadSchemas[event].parse(received?.body)).toEqual(received?.body);
    expect(received?.raw).toContain(body.mailJobId);
    expect((await sender.http.get(`/v1/events/${body.eventId}`)).body).toMatchObject({ isTest: true, event });
    await end();
  });

  test('about a letter it has the ids of the letter, which does not change and has its own events later', async () => {
    const { body: mail } = await sender.send({ externalId: 'triggered' });
    const before = await MailJob.findById(mail.mailJobId).lean();
    for (const event of ['MAIL_POSTED', 'MAIL_POSTED', 'ITEM_RETURNED']) {
      const { body } = await trigger({ event, mailJobId: mail.mailJobId });
      const row = await Event.findById(body.eventId).orFail().lean();
      expect(JSON.parse(row.body)).toMatchObject({ event, mailJobId: mail.mailJobId, externalId: 'triggered' });
      if (event === 'ITEM_RETURNED') expect(JSON.parse(row.body).itemId).toBe(mail.recipients[0].itemId);
    }
    const after = await MailJob.findById(mail.mailJobId).lean();
    expect([after?.status, after?.updatedAt, after?.items]).toEqual([before?.status, before?.updatedAt, before?.items]);
    await sender.http.post(`/v1/mails/${mail.mailJobId}/simulate`, { to: 'posted' });
    expect(await eventKindsOf(mail.mailJobId)).toEqual(['MAIL_QUEUED', 'MAIL_POSTED']);
  });

  test('about a letter on a test clock it has the time of the clock', async () => {
    const clock = await aTestClock(sender);
    const { mailJobId } = (await sender.send({ sandboxClockId: clock.id })).body;
    const { body } = await trigger({ event: 'MAIL_DELIVERED', mailJobId });
    const row = await Event.findById(body.eventId).orFail().lean();
    expect([JSON.parse(row.body).deliveredAt, row.clockId]).toEqual([clock.startsAt, clock.id]);
  });

  test('about a letter with its own URL it goes there, a return to the webhooks', async () => {
    const own = await openReceiver();
    const { receiver, end } = await subscribe(sender, ['MAIL_PRINTED', 'ITEM_RETURNED']);
    const { mailJobId } = (await sender.send({ webhookUrl: own.url })).body;
    for (const event of ['MAIL_PRINTED', 'ITEM_RETURNED']) await trigger({ event, mailJobId });
    const kinds = (of: typeof own) => of.received.map(({ body }) => body.event).sort();
    await eventually(() =>
      expect([kinds(own), kinds(receiver)]).toEqual([['MAIL_PRINTED', 'MAIL_QUEUED'], ['ITEM_RETURNED']]),
    );
    await end();
    await own.close();
  });

  test('a letter of another organization or mode is not found, and a live key is refused', async () => {
    const other = await aSender(world);
    const { mailJobId } = (await other.send()).body;
    const live = await aSender(world, { organizationId: sender.organizationId, mode: 'live', balanceCents: 10_000 });
    const { mailJobId: liveId } = (await live.send()).body;
    for (const id of [mailJobId, liveId, newId('mj'), 'nothing']) {
      expect(await trigger({ event: 'MAIL_POSTED', mailJobId: id })).toMatchObject({ status: 404 });
    }
    expect(await trigger({ event: 'MAIL_POSTED' }, live)).toMatchObject({ status: 403 });
    const reader = await aSender(world, { scopes: ['send'] });
    expect((await trigger({ event: 'MAIL_POSTED' }, reader)).status).toBe(200);
  });

  test.each([
    [{}, 'event'],
    [{ event: 'PING' }, 'event'],
    [{ event: 'MAIL_POSTED', mailJobId: '' }, 'mailJobId'],
    [{ event: 'MAIL_POSTED', to: 1 }, 'to'],
    [{ event: 'BULK_COMPLETED', mailJobId: 'mj_1' }, 'mailJobId'],
  ])('the body %j is refused', async (body, path) => {
    const answer = await trigger(body);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [path]]);
  });
});
