// Level: push
import mongoose from 'mongoose';
import { describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { aSender, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('POST /v1/mails with dryRun', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const sender = openOnce(() => aSender(world));

  /** Returns the number of documents in each collection. */
  async function counts(): Promise<Record<string, number>> {
    const collections = await mongoose.connection.db!.collections();
    const rows = collections.map(async (each) => [each.collectionName, await each.countDocuments()] as const);
    return Object.fromEntries(await Promise.all(rows));
  }

  test('returns 200 and the same fields as a real letter, without a mailJobId, with the ETags', async () => {
    const overrides = { externalId: 'shape', acknowledgmentReceipt: true };
    const tried = await sender.send({ ...overrides, dryRun: true });
    const sent = await sender.send(overrides);
    expect([tried.status, sent.status]).toEqual([200, 201]);
    const [recipient] = sent.body.recipients;
    const [file] = sent.body.files;
    const etag = (await world.store.head(sender.s3Key))?.etag;
    expect(tried.body).toEqual({
      ...sent.body,
      mailJobId: null,
      dryRun: true,
      // There is no letter to act on.
      actions: [],
      recipients: [{ ...recipient, itemId: expect.anything() }],
      files: [{ ...file, etag }],
    });
    expect(tried.body).toMatchObject({ status: 'queued', duplicate: false, createdAt: clock.now().toISOString() });
  });

  test('stores no document and debits nothing', async () => {
    const [before, balanceCents] = [await counts(), await sender.balanceCents()];
    expect((await sender.send({ dryRun: true, externalId: 'nothing', webhookUrl: 'https://127.0.0.1/x' })).status).toBe(
      200,
    );
    expect(await counts()).toEqual(before);
    expect(before.uploads).toBeGreaterThan(0);
    expect(await sender.balanceCents()).toBe(balanceCents);
  });

  test('neither matches a used externalId nor reserves a new one', async () => {
    const sent = await sender.send({ externalId: 'used' });
    const tried = await sender.send({ externalId: 'used', dryRun: true, color: true });
    expect(tried).toMatchObject({
      status: 200,
      body: { mailJobId: null, duplicate: false, color: true, externalId: 'used' },
    });
    expect((await sender.send({ externalId: 'free', dryRun: true })).status).toBe(200);
    expect((await sender.send({ externalId: 'free' })).status).toBe(201);
    expect(sent.status).toBe(201);
  });

  test.each([
    [220, false],
    [221, true],
    [0, false],
  ])('with a balance of %d for 221 cents, balanceSufficient is %s', async (balanceCents, isSufficient) => {
    const customer = await aSender(world, { balanceCents });
    const { status, body } = await customer.send({ dryRun: true });
    expect([status, body.totalCents, body.balanceSufficient]).toEqual([200, 221, isSufficient]);
    expect(await customer.balanceCents()).toBe(balanceCents);
  });

  test('refuses a letter that could not be sent, with the same error', async () => {
    const file = { filename: 'a.pdf', mimeType: 'application/pdf', sizeBytes: 5 };
    const { s3Key } = (await sender.http.post('/v1/uploads', file)).body;
    for (const [overrides, status, path] of [
      [{ files: [{ s3Key }] }, 400, 'files.0.s3Key'],
      [{ scheduledDropAt: '2020-01-01T00:00:00Z' }, 400, 'scheduledDropAt'],
      [{ webhookUrl: 'https://10.0.0.1' }, 400, 'webhookUrl'],
      [{ pages: 0 }, 400, 'pages'],
      [{ maxTotalCents: 220 }, 409, null],
    ] as const) {
      const answer = await sender.send({ ...overrides, dryRun: true });
      expect([overrides, answer.status]).toEqual([overrides, status]);
      if (path !== null) expect(issuePaths(answer)).toEqual([path]);
    }
  });
});
