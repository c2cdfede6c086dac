import { describe, expect, test } from '@jest/globals';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { importTariffs, listTariffs, removeTariff } from '../../common/pricing/tariffs.ts';
import { Upload } from '../../common/uploads/upload.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { aPostalAddress, exampleTariffs } from '../support/builders.ts';
import { standingClock } from '../support/clock.ts';
import { aSender, ledgerOf, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

describe('the money of POST /v1/mails', () => {
  const clock = standingClock();
  const world = startWorld({ clock });

  /** All that a send could leave behind. */
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

  test('given a wallet one cent short, when a letter is sent, then 402 and nothing is stored', async () => {
    const sender = await aSender(world, { balanceCents: 220 });
    const before = await traces(sender);
    const answer = await sender.send({ externalId: 'short' });
    expect(answer).toMatchObject({ status: 402, body: { code: 'INSUFFICIENT_FUNDS', message: expect.any(String) } });
    expect(answer.body).not.toHaveProperty('issues');
    expect(await traces(sender)).toEqual(before);
    expect(before).toMatchObject({ jobs: 0, events: 0, neededUploads: 0 });
  });

  test('given a wallet with exactly the price, when a letter is sent, then 201 and the balance is 0', async () => {
    const sender = await aSender(world, { balanceCents: 221 });
    const { status, body } = await sender.send();
    expect([status, body.totalCents, await sender.balanceCents()]).toEqual([201, 221, 0]);
    expect(await traces(sender)).toMatchObject({ jobs: 1, events: 1, neededUploads: 1 });
    expect((await sender.send()).status).toBe(402);
  });

  test('given a letter too dear, when a cheap one follows, then 402 and then 201', async () => {
    const sender = await aSender(world, { balanceCents: 400 });
    const recipients = [aPostalAddress(), aPostalAddress()];
    expect((await sender.send({ recipients })).status).toBe(402);
    expect((await sender.send()).status).toBe(201);
    expect(await sender.balanceCents()).toBe(400 - 221);
  });

  test('given a full test wallet, when the live key sends, then the empty live wallet decides', async () => {
    const test = await world.customer();
    const live = await aSender(world, { organizationId: test.organizationId, mode: 'live' });
    expect((await live.send()).status).toBe(402);
    expect(await test.balanceCents()).toBe(100_000);
  });

  test('given maxTotalCents, when the price is at it, then 201; when it is a cent above, 409 before any debit', async () => {
    const sender = await aSender(world);
    expect((await sender.send({ maxTotalCents: 221 })).status).toBe(201);
    const before = await traces(sender);
    const answer = await sender.send({ maxTotalCents: 220, externalId: 'dear' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED' } });
    expect(await traces(sender)).toEqual(before);
    // 409 comes before 402.
    const poor = await aSender(world, { balanceCents: 0 });
    expect((await poor.send({ maxTotalCents: 0 })).status).toBe(409);
    expect((await poor.send({ maxTotalCents: null })).status).toBe(402);
  });

  test('given a price that changes after the quote, when the letter is sent, then it costs the new price, and keeps it', async () => {
    // given
    const sender = await aSender(world);
    const letter = { zone: 'NATIONAL', serviceType: 'prior', pages: 1 };
    const quoted = await sender.http.post('/v1/quote', letter);
    const earlier = await sender.send({ serviceType: 'prior' });
    const old = exampleTariffs.find(({ zone, serviceType }) => zone === 'NATIONAL' && serviceType === 'prior')!;
    const validFrom = new Date(clock.now().getTime() + 1_000).toISOString();
    await importTariffs([{ ...old, validFrom, pageCents: 108 }]);
    // when
    clock.advance(999);
    const before = await sender.send({ serviceType: 'prior' });
    clock.advance(1);
    const after = await sender.send({ serviceType: 'prior' });
    const guarded = await sender.send({ serviceType: 'prior', maxTotalCents: quoted.body.totalCents });
    // then
    expect([quoted, earlier, before].map(({ body }) => body.totalCents)).toEqual([221, 221, 221]);
    expect([after.status, after.body.totalCents]).toEqual([201, 342]);
    expect(guarded).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED' } });
    const readAgain = await sender.http.get(`/v1/mails/${earlier.body.mailJobId}`);
    expect(readAgain.body.amounts).toEqual(earlier.body.amounts);
  });

  test('given no tariff for a zone and service, when a letter is sent, then 503, and its externalId is not locked', async () => {
    // given
    const sender = await aSender(world);
    const international = { zone: 'INTERNATIONAL', recipients: [aPostalAddress({ country: 'FR', zip: '75001' })] };
    const removed = (await listTariffs()).filter(({ zone }) => zone === 'INTERNATIONAL');
    for (const { _id } of removed) await removeTariff(_id);
    const before = await traces(sender);
    // when
    const answer = await sender.send({ ...international, externalId: 'no-price' });
    const dryRun = await sender.send({ ...international, dryRun: true });
    // then
    for (const each of [answer, dryRun]) {
      expect(each).toMatchObject({ status: 503, body: { code: 'PRICING_UNAVAILABLE' } });
    }
    expect(await traces(sender)).toEqual(before);
    await importTariffs(exampleTariffs.filter(({ zone }) => zone === 'INTERNATIONAL'));
    expect((await sender.send({ ...international, externalId: 'no-price' })).status).toBe(201);
  });
});
