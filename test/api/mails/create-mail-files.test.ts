// Level: push
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { recordPageCounts } from '#common/uploads/upload-findings.ts';
import {
  afterAll,
  beforeEach,
  describe,
  expect,
  openOnce,
  standingClock,
  test,
  useTempFolders,
} from '#test/support/jest.ts';
import { aPdf, aSender, issuePaths, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startFaultProxy } from '#test/support/servers/fault-proxy.ts';

const publicEndpoint = process.env.S3_ENDPOINT ?? '';
/** Between the API and the object store. Customers reach the store directly. */
const proxy = await startFaultProxy(publicEndpoint);
const dayMs = 24 * 3_600_000;

describe('the files of POST /v1/mails', () => {
  const clock = standingClock();
  const start = clock.now();
  const environment = { S3_ENDPOINT: proxy.url.replace(/\/$/, ''), S3_PUBLIC_ENDPOINT: publicEndpoint };
  const world = startWorld({ clock, environment });
  const sender = openOnce(() => aSender(world));
  const newFolder = useTempFolders();
  let before = 0;
  beforeEach(async () => {
    proxy.set('pass');
    clock.set(start);
    before = await sender.balanceCents();
  });
  afterAll(() => proxy.close());

  const freshKey = async (overrides: Record<string, unknown> = {}): Promise<string> => {
    const file = { filename: 'a.pdf', mimeType: 'application/pdf', sizeBytes: 5, ...overrides };
    return (await sender.http.post('/v1/uploads', file)).body.s3Key;
  };
  /** An upload whose stored size differs from the declared one. */
  async function mismatched(): Promise<string> {
    const s3Key = await freshKey();
    const path = join(await newFolder(), 'file');
    await writeFile(path, '123456');
    await world.store.putFile({ key: s3Key, path, contentType: 'application/pdf' });
    return s3Key;
  }
  const keyOf = async (options: Parameters<typeof world.customer>[0]) => (await aSender(world, options)).s3Key;

  test('foreign, unknown, missing and expired uploads are refused with the same message', async () => {
    const { organizationId } = sender;
    const keys = {
      'another organization': await keyOf({}),
      'the other mode': await keyOf({ organizationId, mode: 'live' }),
      unknown: `u/${organizationId}/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`,
      'a path': `u/${organizationId}/../${sender.s3Key}`,
      'never uploaded': await freshKey(),
      'another length in the store': await mismatched(),
    };
    const messages = new Set<string>();
    for (const [what, s3Key] of Object.entries(keys)) {
      const answer = await sender.send({ files: [{ s3Key: sender.s3Key }, { s3Key }] });
      expect([what, answer.status, answer.body.code]).toEqual([what, 400, 'VALIDATION_ERROR']);
      expect([what, issuePaths(answer)]).toEqual([what, ['files.1.s3Key']]);
      messages.add(answer.body.issues[0].message);
    }
    clock.advance(dayMs);
    const expired = await sender.send();
    expect([expired.status, issuePaths(expired)]).toEqual([400, ['files.0.s3Key']]);
    messages.add(expired.body.issues[0].message);
    expect(messages.size).toBe(1);
    expect(await sender.balanceCents()).toBe(before);
  });

  test('an upload is usable until 1 ms before 24 hours have passed', async () => {
    clock.advance(dayMs - 1);
    expect((await sender.send()).status).toBe(201);
  });

  test('each bad file is named', async () => {
    const files = [{ s3Key: 'u/none' }, { s3Key: sender.s3Key }, { s3Key: 'u/none' }];
    expect(issuePaths(await sender.send({ files }))).toEqual(['files.0.s3Key', 'files.2.s3Key']);
  });

  test('file details must equal those of the upload; a different one is named with 400', async () => {
    const { sizeBytes, etag } = (await world.store.head(sender.s3Key)) ?? {};
    const declared = { s3Key: sender.s3Key, filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes, etag };
    expect((await sender.send({ files: [declared], dryRun: true })).body.files).toEqual([declared]);
    expect((await sender.send({ files: [declared] })).status).toBe(201);
    for (const [field, value] of [
      ['filename', 'other.pdf'],
      ['mimeType', 'image/png'],
      ['sizeBytes', (sizeBytes ?? 0) + 1],
      ['etag', '"0"'],
    ] as const) {
      const answer = await sender.send({ files: [declared, { ...declared, [field]: value }] });
      expect([answer.status, issuePaths(answer)]).toEqual([400, [`files.1.${field}`]]);
    }
  });

  test('an upload can be used twice in a letter and again in another letter', async () => {
    const file = { s3Key: sender.s3Key };
    const twice = await sender.send({ files: [file, file], pages: 2 });
    expect(twice.status).toBe(201);
    expect(twice.body.files.map(({ s3Key }: { s3Key: string }) => s3Key)).toEqual([sender.s3Key, sender.s3Key]);
    expect((await sender.send()).status).toBe(201);
  });

  test('the job keeps the order of the files', async () => {
    const others = [
      await upload(sender, await aPdf(), { filename: 'b.pdf' }),
      await upload(sender, await aPdf(), { filename: 'a.pdf' }),
    ];
    const keys = [others[0], sender.s3Key, others[1]];
    const { status, body } = await sender.send({ files: keys.map((s3Key) => ({ s3Key })), pages: 3 });
    expect(status).toBe(201);
    expect(body.files.map(({ s3Key }: { s3Key: string }) => s3Key)).toEqual(keys);
    expect(body.files.map(({ filename }: { filename: string }) => filename)).toEqual(['b.pdf', 'letter.pdf', 'a.pdf']);
  });

  test('a wrong page count is refused with both numbers once all files are counted', async () => {
    const counted = { s3Key: await upload(sender, await aPdf(7)) };
    const uncounted = { s3Key: await upload(sender, await aPdf(3)) };
    await recordPageCounts(sender, [{ s3Key: counted.s3Key, pageCount: 7 }]);
    const wrong = await sender.send({ files: [counted, counted], pages: 13 });
    expect([wrong.status, issuePaths(wrong)]).toEqual([400, ['pages']]);
    expect(wrong.body.issues[0].message).toMatch(/\b14\b.*\b13\b|\b13\b.*\b14\b/);
    expect(await sender.balanceCents()).toBe(before);
    expect((await sender.send({ files: [counted, counted], pages: 14 })).status).toBe(201);
    expect((await sender.send({ files: [counted, uncounted], pages: 13 })).status).toBe(201);
  });

  test('while the object store is unavailable, letters get 503 and nothing is debited', async () => {
    const files = [{ s3Key: await upload(sender, await aPdf()) }];
    const jobs = await MailJob.countDocuments();
    proxy.set('refuse');
    const refused = await sender.send({ files, externalId: 'away' });
    expect(refused).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(JSON.stringify(refused.body)).not.toMatch(/ECONN|127\.0\.0\.1|Error:/);
    expect(await MailJob.countDocuments()).toBe(jobs);
    expect(await sender.balanceCents()).toBe(before);
    // Presigning a URL needs no request to the store.
    expect((await sender.http.post('/v1/uploads', { filename: 'a', mimeType: 'image/png', sizeBytes: 1 })).status).toBe(
      200,
    );
    proxy.set('pass');
    expect((await sender.send({ files, externalId: 'away' })).status).toBe(201);
  });
});
