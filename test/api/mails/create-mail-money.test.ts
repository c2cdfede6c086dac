// Level: push
import { Event } from '#common/events/event.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { importTariffs, listTariffs, removeTariff } from '#common/pricing/manage-tariffs.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aPostalAddress, aSender, ledgerOf, type Sender } from '#test/support/product/customer.ts';
import { exampleTariffs } from '#test/support/product/tariffs.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('the money of POST /v1/mails', () => {
  const clock = standingClock();
  const world = startWorld({ clock });

  /** Everything that a send could store. */
  async function traces(sender: Sender) {
    const { organizationId } = sender;
    return {
      jobs: await MailJob.countDocuments({ organizationId }),
      events: await Event.countDocuments({ organizationId }),
      entries: (await ledgerOf(sender)).length,
      neededUploads: await Upload.countDocuments({ organizationId, neededUntil: { $ne: null } }),
      balanceCents: await sender.balanceCents(),
    };
  }

  test('a letter one cent above the balance is 402 and stores nothing', async () => {
    const sender = await aSender(world, { balanceCents: 220 });
    const before = await traces(sender);
    const answer = await sender.send({ externalId: 'short' });
    expect(answer).toMatchObject({ status: 402, body: { code: 'INSUFFICIENT_FUNDS', message: expect.any(String) } });
    expect(answer.body).not.toHaveProperty('issues');
    expect(await traces(sender)).toEqual(before);
    expect(before).toMatchObject({ jobs: 0, events: 0, neededUploads: 0 });
  });

  test('a letter that costs exactly the balance is 201 and leaves 0', async () => {
    const sender = await aSender(world, { balanceCents: 221 });
    const { status, body } = await sender.send();
    expect([status, body.totalCents, await sender.balanceCents()]).toEqual([201, 221, 0]);
    expect(await traces(sender)).toMatchObject({ jobs: 1, events: 1, neededUploads: 1 });
    expect((await sender.send()).status).toBe(402);
  });

  test('a letter that is too expensive is 402, a cheaper one after it is 201', async () => {
    const sender = await aSender(world, { balanceCents: 400 });
    const recipients = [aPostalAddress(), aPostalAddress()];
    expect((await sender.send({ recipients })).status).toBe(402);
    expect((await sender.send()).status).toBe(201);
    expect(await sender.balanceCents()).toBe(400 - 221);
  });

  test('a live key is charged to the live wallet, even if the test wallet has money', async () => {
    const test = await world.customer();
    const live = await aSender(world, { organizationId: test.organizationId, mode: 'live' });
    expect((await live.send()).status).toBe(402);
    expect(await test.balanceCents()).toBe(100_000);
  });

  test('a price at maxTotalCents is 201, a cent above is 409 before any debit', async () => {
    const sender = await aSender(world);
    expect((await sender.send({ maxTotalCents: 221 })).status).toBe(201);
    const before = await traces(sender);
    const answer = await sender.send({ maxTotalCents: 220, externalId: 'dear' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED' } });
    expect(await traces(sender)).toEqual(before);
    // 409 takes precedence over 402.
    const poor = await aSender(world, { balanceCents: 0 });
    expect((await poor.send({ maxTotalCents: 0 })).status).toBe(409);
    expect((await poor.send({ maxTotalCents: null })).status).toBe(402);
  });

  test('a letter costs the price at sending, not the quoted one, and keeps it', async () => {
    const sender = await aSender(world);
    const letter = { zone: 'NATIONAL', serviceType: 'prior', pages: 1 };
    const quoted = await sender.http.post('/v1/quote', letter);
    const earlier = await sender.send({ serviceType: 'prior' });
    const old = exampleTariffs.find(({ zone, serviceType }) => zone === 'NATIONAL' && serviceType === 'prior')!;
    const validFrom = new Date(clock.now().getTime() + 1_000).toISOString();
    await importTariffs([{ ...old, validFrom, pageCents: 108 }]);
    clock.advance(999);
    const before = await sender.send({ serviceType: 'prior' });
    clock.advance(1);
    const after = await sender.send({ serviceType: 'prior' });
    const guarded = await sender.send({ serviceType: 'prior', maxTotalCents: quoted.body.totalCents });
    expect([quoted, earlier, before].map(({ body }) => body.totalCents)).toEqual([221, 221, 221]);
    expect([after.status, after.body.totalCents]).toEqual([201, 342]);
    expect(guarded).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED' } });
    const readAgain = await sender.http.get(`/v1/mails/${earlier.body.mailJobId}`);
    expect(readAgain.body.amounts).toEqual(earlier.body.amounts);
  });

  test('a letter without a tariff is 503 and does not use up its externalId', async () => {
    const sender = await aSender(world);
    const international = { zone: 'INTERNATIONAL', recipients: [aPostalAddress({ country: 'FR', zip: '75001' })] };
    const removed = (await listTariffs()).filter(({ zone }) => zone === 'INTERNATIONAL');
    for (const { _id } of removed) await removeTariff(_id);
    const before = await traces(sender);
    const answer = await sender.send({ ...international, externalId: 'no-price' });
    const dryRun = await sender.send({ ...international, dryRun: true });
    for (const each of [answer, dryRun]) {
      expect(each).toMatchObject({ status: 503, body: { code: 'PRICING_UNAVAILABLE' } });
    }
    expect(await traces(sender)).toEqual(before);
    await importTariffs(exampleTariffs.filter(({ zone }) => zone === 'INTERNATIONAL'));
    expect((await sender.send({ ...international, externalId: 'no-price' })).status).toBe(201);
  });
});
