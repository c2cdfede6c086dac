import { beforeAll, describe, expect, test } from '@jest/globals';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { aSender, issuePaths, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const withKey = (key: string) => ({ 'idempotency-key': key });

describe('POST /v1/mails with an Idempotency-Key', () => {
  const world = startWorld();
  let sender: Sender;
  beforeAll(async () => {
    sender = await aSender(world);
  });

  test('given a key used before, when the same body comes again, then 200 with the first job and no second debit', async () => {
    const first = await sender.send({ color: false }, withKey('once'));
    const balanceCents = await sender.balanceCents();
    const again = await sender.send({ color: null }, withKey('once'));
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual({ ...first.body, duplicate: true });
    expect(first.body.externalId).toBeNull();
    expect(await sender.balanceCents()).toBe(balanceCents);
  });

  test('given a key used before, when another body comes, then 409 and nothing is debited', async () => {
    await sender.send({}, withKey('other-body'));
    const balanceCents = await sender.balanceCents();
    const answer = await sender.send({ color: true }, withKey('other-body'));
    expect(answer).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_MISMATCH' } });
    expect(await sender.balanceCents()).toBe(balanceCents);
  });

  test('given twenty letters with one key at once, when all are answered, then one 201, nineteen 200 and one debit', async () => {
    const balanceCents = await sender.balanceCents();
    const answers = await Promise.all(Array.from({ length: 20 }, () => sender.send({}, withKey('at-once'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.mailJobId)).size).toBe(1);
    expect(await sender.balanceCents()).toBe(balanceCents - 221);
  });

  test('given letters with an externalId, when they carry a key, then the externalId alone decides', async () => {
    const key = withKey('ignored');
    const first = await sender.send({ externalId: 'a' }, key);
    const second = await sender.send({ externalId: 'b', color: true }, key);
    const repeat = await sender.send({ externalId: 'a', color: true }, key);
    const alone = await sender.send({}, key);
    expect([first, second, repeat, alone].map(({ status }) => status)).toEqual([201, 201, 200, 201]);
    expect(repeat.body).toMatchObject({ mailJobId: first.body.mailJobId, payloadMatches: false });
  });

  test('given a key of another organization or mode, when it is used, then it is free here', async () => {
    const live = await aSender(world, { organizationId: sender.organizationId, mode: 'live', balanceCents: 1_000 });
    for (const each of [sender, live, await aSender(world)]) {
      expect((await each.send({}, withKey('elsewhere'))).status).toBe(201);
    }
  });

  test('given a dry run or a refused letter, when its key comes again, then it is free', async () => {
    const poor = await aSender(world, { balanceCents: 220 });
    expect((await poor.send({}, withKey('free'))).status).toBe(402);
    expect((await sender.send({ dryRun: true }, withKey('dry'))).status).toBe(200);
    expect((await sender.send({}, withKey('dry'))).status).toBe(201);
    expect(await MailJob.countDocuments({ organizationId: poor.organizationId })).toBe(0);
  });

  test('given a key of 1 or 255 characters, when it is sent, then 201; with none or 256, 400 names the header', async () => {
    for (const key of ['k', 'k'.repeat(255)]) expect((await sender.send({}, withKey(key))).status).toBe(201);
    for (const key of ['', 'k'.repeat(256)]) {
      const answer = await sender.send({}, withKey(key));
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
      expect(issuePaths(answer)).toEqual(['idempotency-key']);
    }
  });
});
