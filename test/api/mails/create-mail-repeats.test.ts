// Level: push
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { listTariffs, removeTariff } from '#common/pricing/manage-tariffs.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { topUpWallet } from '#common/wallet/wallets.ts';
import { afterEach, describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import {
  aPdf,
  aPostalAddress,
  aSender,
  eventKindsOf,
  issuePaths,
  ledgerOf,
  upload,
} from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const hourMs = 3_600_000;
const withKey = (key: string) => ({ 'idempotency-key': key });

const clock = standingClock();
const world = startWorld({ clock });
const sender = openOnce(() => aSender(world));

describe('POST /v1/mails with a used externalId', () => {
  const start = clock.now();
  afterEach(() => clock.set(start));

  test('the same letter returns 200 and the first job, without a second debit', async () => {
    const first = await sender.send({ externalId: 'same', color: false, dryRun: false });
    const balanceCents = await sender.balanceCents();
    // Different order of fields, defaults absent or null.
    const { zone, ...rest } = await sender.letter({ color: null, sender: null, externalId: 'same' });
    const again = await sender.http.post('/v1/mails', { ...rest, zone, acknowledgmentReceipt: false });
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
  ])('when %s changed: 200, the first job and payloadMatches false', async (what, changes) => {
    const first = await sender.send({ externalId: what });
    const entries = (await ledgerOf(sender)).length;
    const again = await sender.send({ externalId: what, ...changes });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...first.body, duplicate: true, payloadMatches: false });
    expect(await ledgerOf(sender)).toHaveLength(entries);
  });

  test('a repeat shows the current state of the job', async () => {
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

  test('a retry returns 200 even when tariff, file, time and money are gone', async () => {
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
    const again = await fresh.http.post('/v1/mails', letter);
    const fromNew = await fresh.http.post('/v1/mails', { ...letter, externalId: 'new' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual({ ...first.body, duplicate: true });
    // Control: the same letter with a new externalId is refused.
    expect(fromNew.status).toBe(400);
  });

  test('an invalid body is refused with 400 before the externalId is looked up', async () => {
    await sender.send({ externalId: 'schema' });
    expect((await sender.send({ externalId: 'schema', pages: 0 })).status).toBe(400);
  });

  test('organizations and modes can use the same externalId independently', async () => {
    const one = await aSender(world);
    const sameInLive = await aSender(world, { organizationId: one.organizationId, mode: 'live', balanceCents: 1_000 });
    const other = await aSender(world);
    const answers = [];
    for (const each of [one, sameInLive, other]) answers.push(await each.send({ externalId: 'shared' }));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.mailJobId)).size).toBe(3);
    expect(answers.map(({ body }) => body.mode)).toEqual(['test', 'live', 'test']);
  });

  test('externalIds that differ in case, accents or inner spaces are different', async () => {
    const ids = ['é-1', 'e\u0301-1', 'E-1', 'e-1', 'e -1', '$ne', '{"$gt":""}'];
    for (const externalId of ids) expect((await sender.send({ externalId })).status).toBe(201);
    for (const externalId of ids) expect((await sender.send({ externalId: ` ${externalId} ` })).status).toBe(200);
  });

  test('a refused letter does not use up its externalId', async () => {
    const poor = await aSender(world, { balanceCents: 220 });
    expect((await poor.send({ externalId: 'mended', files: [{ s3Key: 'u/none' }] })).status).toBe(400);
    expect((await poor.send({ externalId: 'mended' })).status).toBe(402);
    expect((await poor.send({ externalId: 'mended', dryRun: true })).status).toBe(200);
    expect(await MailJob.countDocuments({ organizationId: poor.organizationId })).toBe(0);
    await topUpWallet(poor, 1, 'the missing cent', clock.now());
    expect((await poor.send({ externalId: 'mended' })).status).toBe(201);
  });
});

describe('a repeat with files that were uploaded again', () => {
  const filesOf = async (bytes: Buffer, from = sender, name = 'letter.pdf') => ({
    files: [{ s3Key: await upload(from, bytes, { filename: name }) }],
  });
  /** Other bytes of the same length. */
  const changed = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('%PDF-1.7', '%PDF-1.6'), 'latin1');

  test('the same bytes match by externalId and by Idempotency-Key, other bytes of that length do not', async () => {
    const pdf = await aPdf();
    const [externalId, key] = [{ externalId: 'again' }, withKey('again')];
    expect((await sender.send({ ...externalId, ...(await filesOf(pdf)) })).status).toBe(201);
    expect((await sender.send(await filesOf(pdf), key)).status).toBe(201);
    const same = await filesOf(pdf, sender, 'renamed.pdf');
    expect((await sender.send({ ...externalId, ...same })).body.payloadMatches).toBe(true);
    expect((await sender.send({ ...externalId, ...same, color: true })).body.payloadMatches).toBe(false);
    expect(await sender.send(same, key)).toMatchObject({ status: 200, body: { payloadMatches: true } });
    const others = await filesOf(changed(pdf));
    expect((await sender.send({ ...externalId, ...others })).body.payloadMatches).toBe(false);
    expect((await sender.send(others, key)).body.code).toBe('IDEMPOTENCY_MISMATCH');
  });

  test('the same bytes in another organization or mode, and those of an unknown digest, do not match', async () => {
    const [externalId, pdf] = ['whose', await aPdf()] as const;
    await sender.send({ externalId, ...(await filesOf(pdf)) });
    const live = await aSender(world, { organizationId: sender.organizationId, mode: 'live', balanceCents: 1_000 });
    for (const from of [await aSender(world), live]) {
      expect((await sender.send({ externalId, ...(await filesOf(pdf, from)) })).body.payloadMatches).toBe(false);
    }
    const same = await filesOf(pdf);
    await MailJob.updateOne({ externalId }, { 'files.0.etag': '"a digest of parts-2"' });
    await Upload.updateOne({ _id: same.files[0]?.s3Key ?? '' }, { etag: '"a digest of parts-2"' });
    expect((await sender.send({ externalId, ...same })).body.payloadMatches).toBe(false);
  });

  test('of several at once, each with an upload of its own, one is sent and all match', async () => {
    const pdf = await aPdf();
    const letters = await Promise.all(Array.from({ length: 8 }, () => filesOf(pdf)));
    const answers = await Promise.all(letters.map((letter) => sender.send(letter, withKey('own uploads'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(answers.map(({ body }) => body.payloadMatches)).toEqual(Array(8).fill(true));
  });
});

describe('POST /v1/mails with an Idempotency-Key', () => {
  test('a repeat with the same body returns 200 and the first job, without a second debit', async () => {
    const first = await sender.send({ color: false }, withKey('once'));
    const balanceCents = await sender.balanceCents();
    const again = await sender.send({ color: null }, withKey('once'));
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual({ ...first.body, duplicate: true });
    expect(first.body.externalId).toBeNull();
    expect(await sender.balanceCents()).toBe(balanceCents);
  });

  test('the same key with a different body returns 409 and debits nothing', async () => {
    await sender.send({}, withKey('other-body'));
    const balanceCents = await sender.balanceCents();
    const answer = await sender.send({ color: true }, withKey('other-body'));
    expect(answer).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_MISMATCH' } });
    expect(await sender.balanceCents()).toBe(balanceCents);
  });

  test('twenty concurrent letters with one key get one 201, nineteen 200 and one debit', async () => {
    const balanceCents = await sender.balanceCents();
    const answers = await Promise.all(Array.from({ length: 20 }, () => sender.send({}, withKey('at-once'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.mailJobId)).size).toBe(1);
    expect(await sender.balanceCents()).toBe(balanceCents - 221);
  });

  test('with an externalId the key is ignored', async () => {
    const key = withKey('ignored');
    const first = await sender.send({ externalId: 'a' }, key);
    const second = await sender.send({ externalId: 'b', color: true }, key);
    const repeat = await sender.send({ externalId: 'a', color: true }, key);
    const alone = await sender.send({}, key);
    expect([first, second, repeat, alone].map(({ status }) => status)).toEqual([201, 201, 200, 201]);
    expect(repeat.body).toMatchObject({ mailJobId: first.body.mailJobId, payloadMatches: false });
  });

  test('the same key in another organization or mode is independent', async () => {
    const live = await aSender(world, { organizationId: sender.organizationId, mode: 'live', balanceCents: 1_000 });
    for (const each of [sender, live, await aSender(world)]) {
      expect((await each.send({}, withKey('elsewhere'))).status).toBe(201);
    }
  });

  test('a dry run or a refused letter does not use up its key', async () => {
    const poor = await aSender(world, { balanceCents: 220 });
    expect((await poor.send({}, withKey('free'))).status).toBe(402);
    expect((await sender.send({ dryRun: true }, withKey('dry'))).status).toBe(200);
    expect((await sender.send({}, withKey('dry'))).status).toBe(201);
    expect(await MailJob.countDocuments({ organizationId: poor.organizationId })).toBe(0);
  });

  test('a key has 1 to 255 characters; others get 400 with the name of the header', async () => {
    for (const key of ['k', 'k'.repeat(255)]) expect((await sender.send({}, withKey(key))).status).toBe(201);
    for (const key of ['', 'k'.repeat(256)]) {
      const answer = await sender.send({}, withKey(key));
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
      expect(issuePaths(answer)).toEqual(['idempotency-key']);
    }
  });
});
