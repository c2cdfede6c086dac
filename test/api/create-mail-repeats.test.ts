import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { listTariffs, removeTariff } from '../../common/pricing/tariffs.ts';
import { topUpWallet } from '../../common/wallet/wallets.ts';
import { aPostalAddress } from '../support/builders.ts';
import { standingClock } from '../support/clock.ts';
import { aSender, eventKindsOf, ledgerOf, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const hourMs = 3_600_000;

describe('POST /v1/mails with a used externalId', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const start = clock.now();
  let sender: Sender;
  beforeAll(async () => {
    sender = await aSender(world);
  });
  afterEach(() => clock.set(start));

  test('given a letter sent before, when the same comes again, then 200 with the first job and no second debit', async () => {
    // given
    const first = await sender.send({ externalId: 'same', color: false, dryRun: false });
    const balanceCents = await sender.balanceCents();
    // when: other order of fields, defaults left out or null
    const { zone, ...rest } = await sender.letter({ color: null, sender: null, externalId: 'same' });
    const again = await sender.http.post('/v1/mails', { ...rest, zone, acknowledgmentReceipt: false });
    // then
    expect(first.status).toBe(201);
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...first.body, duplicate: true });
    expect(again.body.payloadMatches).toBe(true);
    expect(await sender.balanceCents()).toBe(balanceCents);
    expect(await eventKindsOf(first.body.mailJobId)).toEqual(['MAIL_QUEUED']);
  });

  test.each([
    ['pages', { pages: 2 }],
    ['a recipient', { recipients: [aPostalAddress({ line2: 'box 1' })] }],
    ['the color', { color: true }],
    ['the whole letter', { zone: 'INTERNATIONAL', recipients: [aPostalAddress({ country: 'FR' })] }],
    ['the files, to unknown ones', { files: [{ s3Key: 'u/none' }] }],
  ])(
    'given a letter sent before, when %s differs, then 200 with the first job and payloadMatches false',
    async (what, changes) => {
      const first = await sender.send({ externalId: what });
      const entries = (await ledgerOf(sender)).length;
      const again = await sender.send({ externalId: what, ...changes });
      expect(again.status).toBe(200);
      expect(again.body).toEqual({ ...first.body, duplicate: true, payloadMatches: false });
      expect(await ledgerOf(sender)).toHaveLength(entries);
    },
  );

  test('given a job that has failed since, when its letter comes again, then the answer shows how it stands now', async () => {
    const { body: first } = await sender.send({ externalId: 'failed' });
    await sender.http.post(`/v1/mails/${first.mailJobId}/simulate`, { to: 'failed' });
    const { status, body } = await sender.send({ externalId: 'failed' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ mailJobId: first.mailJobId, status: 'failed', duplicate: true, payloadMatches: true });
    expect(body).toMatchObject({
      failure: { code: 'SIMULATED' },
      refundedCents: first.totalCents,
      counts: { failed: 1 },
    });
  });

  test('given tariff, file, time and money gone, when an honest retry comes, then 200 all the same', async () => {
    // given
    const fresh = await aSender(world, { balanceCents: 954 + 22_108 });
    const scheduledDropAt = new Date(clock.now().getTime() + hourMs).toISOString();
    const overrides = { serviceType: 'registered', externalId: 'retry', scheduledDropAt, maxTotalCents: 954 };
    const letter = await fresh.letter(overrides);
    const first = await fresh.http.post('/v1/mails', letter);
    const many = Array.from({ length: 100 }, () => aPostalAddress());
    await fresh.send({ recipients: many });
    expect(await fresh.balanceCents()).toBe(0);
    const tariffs = await listTariffs();
    for (const { _id, serviceType } of tariffs) if (serviceType === 'registered') await removeTariff(_id);
    clock.advance(25 * hourMs);
    // when
    const again = await fresh.http.post('/v1/mails', letter);
    const fromNew = await fresh.http.post('/v1/mails', { ...letter, externalId: 'new' });
    // then
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual({ ...first.body, duplicate: true });
    // The same letter under another id shows that it was the repeat that let it through.
    expect(fromNew.status).toBe(400);
  });

  test('given a used externalId, when the body does not fit the schema, then 400: the schema comes first', async () => {
    await sender.send({ externalId: 'schema' });
    expect((await sender.send({ externalId: 'schema', pages: 0 })).status).toBe(400);
  });

  test('given one organization and mode, when another one uses its externalId, then each has a job of its own', async () => {
    // given
    const one = await aSender(world);
    const sameInLive = await aSender(world, { organizationId: one.organizationId, mode: 'live', balanceCents: 1_000 });
    const other = await aSender(world);
    // when
    const answers = [];
    for (const each of [one, sameInLive, other]) answers.push(await each.send({ externalId: 'shared' }));
    // then
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.mailJobId)).size).toBe(3);
    expect(answers.map(({ body }) => body.mode)).toEqual(['test', 'live', 'test']);
  });

  test('given ids that differ in case, accents or inner spaces, when they are used, then they are different ids', async () => {
    const ids = ['é-1', 'e\u0301-1', 'E-1', 'e-1', 'e -1', '$ne', '{"$gt":""}'];
    for (const externalId of ids) expect((await sender.send({ externalId })).status).toBe(201);
    for (const externalId of ids) expect((await sender.send({ externalId: ` ${externalId} ` })).status).toBe(200);
  });

  test('given a letter that was refused, when it is mended and sent again, then its externalId is free', async () => {
    const poor = await aSender(world, { balanceCents: 220 });
    expect((await poor.send({ externalId: 'mended', files: [{ s3Key: 'u/none' }] })).status).toBe(400);
    expect((await poor.send({ externalId: 'mended' })).status).toBe(402);
    expect((await poor.send({ externalId: 'mended', dryRun: true })).status).toBe(200);
    expect(await MailJob.countDocuments({ organizationId: poor.organizationId })).toBe(0);
    await topUpWallet(poor, 1, 'the missing cent', clock.now());
    expect((await poor.send({ externalId: 'mended' })).status).toBe(201);
  });
});
