// Level: push
import mongoose from 'mongoose';
import { uploadMimeTypes } from '#common/mime-types.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { type Customer, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const aFile = { filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes: 5 };
/** The clock stands still, to compare times exactly. Close enough to now for the store to accept signatures. */
const now = new Date();

const gb = 1_000_000_000;
const sizeBytes = 20_000_000;

describe('POST /v1/uploads', () => {
  const world = startWorld({ clock: { now: () => now } });
  const customer = openOnce(() => world.customer());
  const ask = (overrides: Record<string, unknown> = {}) =>
    customer.http.post('/v1/uploads', { ...aFile, ...overrides });
  const put = (url: string, headers: Record<string, string>, body: string) =>
    fetch(url, { method: 'PUT', headers, body });

  test('the response has a URL, key, method, headers and both times', async () => {
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body).toEqual({
      s3Key: expect.any(String),
      uploadUrl: expect.stringMatching(/^http/),
      method: 'PUT',
      headers: { 'content-type': 'application/pdf' },
      expiresAt: new Date(now.getTime() + 10 * 60_000).toISOString(),
      usableUntil: new Date(now.getTime() + 24 * 3_600_000).toISOString(),
    });
  });

  test('the store accepts a file as declared', async () => {
    const { body } = await ask();
    expect((await put(body.uploadUrl, body.headers, '12345')).status).toBe(200);
    expect(await world.store.head(body.s3Key)).toMatchObject({ sizeBytes: 5, contentType: 'application/pdf' });
  });

  test('the store refuses another type, length or key', async () => {
    const { body } = await ask();
    const other = (await ask()).body;
    const wrongType = { ...body.headers, 'content-type': 'text/html' };
    expect((await put(body.uploadUrl, wrongType, '12345')).status).toBe(403);
    expect((await put(body.uploadUrl, body.headers, '123456')).status).toBe(403);
    expect((await put(body.uploadUrl.replace(body.s3Key, other.s3Key), body.headers, '12345')).status).toBe(403);
    expect(await world.store.head(body.s3Key)).toBeNull();
    expect(await world.store.head(other.s3Key)).toBeNull();
  });

  test('two uploads of one file have different keys that do not contain its name', async () => {
    const answers = await Promise.all([ask({ filename: '../../etc/secret' }), ask({ filename: '../../etc/secret' })]);
    const keys = answers.map(({ body }) => body.s3Key);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).not.toMatch(/\.\.|secret/);
  });

  test.each([
    ['sizeBytes', [1, 20_971_520], [0, 20_971_521, -1, 1.5, '5', null, true]],
    ['mimeType', uploadMimeTypes, ['text/html', 'image/svg+xml', 'application/PDF', 'image/*', '', null]],
    [
      'filename',
      ['a', 'x'.repeat(255), '✉️'.repeat(127), '\u{1f600}'.repeat(255), 'Brief an Zoë.pdf'],
      ['', '   ', 'x'.repeat(256), '\u{1f600}'.repeat(256), 'a\u0000b', 'a\nb', 'a\u0085b', '\ud800.pdf', 7, null],
    ],
  ])('POST /v1/uploads accepts valid values of %s and names it with 400 for others', async (field, good, bad) => {
    for (const value of good) expect([value, (await ask({ [field]: value })).status]).toEqual([value, 200]);
    for (const value of bad) {
      const answer = await ask({ [field]: value });
      expect([value, answer.status, answer.body.code]).toEqual([value, 400, 'VALIDATION_ERROR']);
      expect(new Set(issuePaths(answer))).toEqual(new Set([field]));
    }
  });

  test('spaces around a filename are trimmed', async () => {
    const { body } = await ask({ filename: '  letter.pdf\n' });
    expect(await Upload.findById(body.s3Key).lean()).toMatchObject({ filename: 'letter.pdf', mode: 'test' });
  });

  test('400 names all missing and unknown fields', async () => {
    const text = '{"mimetype":"application/pdf","__proto__":{},"sizeBytes":1}';
    const init = { body: text, headers: { 'content-type': 'application/json' } };
    const answer = await customer.http.request('POST', '/v1/uploads', init);
    expect(answer.status).toBe(400);
    expect(issuePaths(answer).sort()).toEqual(['__proto__', 'filename', 'mimeType', 'mimetype']);
  });

  test('a refused request stores nothing', async () => {
    const before = await Upload.countDocuments();
    await ask({ sizeBytes: 20_971_521 });
    expect(await Upload.countDocuments()).toBe(before);
  });
});

describe('the bytes that an organization stores', () => {
  const environment = { MAX_STORED_TEST_GB: '1', MAX_STORED_LIVE_GB: '2' };
  const world = startWorld({ environment, hasTariffs: false });
  const counts = () => mongoose.connection.collection<{ _id: string; bytes: number }>('storage_use');
  const idOf = ({ organizationId, mode }: Customer) => `${organizationId} ${mode}`;
  const storedBytes = async (customer: Customer) => (await counts().findOne({ _id: idOf(customer) }))?.bytes;
  const setStoredBytes = (customer: Customer, bytes: number) =>
    counts().updateOne({ _id: idOf(customer) }, { $set: { bytes } }, { upsert: true });
  const ask = ({ http }: Customer, size = sizeBytes) =>
    http.post('/v1/uploads', { filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes: size });

  test('an upload up to the exact limit is accepted, one byte more is 409 and stores nothing', async () => {
    const customer = await world.customer();
    await setStoredBytes(customer, gb - sizeBytes);
    const refused = await ask(customer, sizeBytes + 1);
    expect([refused.status, refused.body.code]).toEqual([409, 'LIMIT_REACHED']);
    expect(refused.body.message).toMatch(/test mode.*1000000000 bytes, 980000000 are used.*26 hours.*operator/);
    expect(await Upload.countDocuments({ organizationId: customer.organizationId })).toBe(0);
    expect(await storedBytes(customer)).toBe(gb - sizeBytes);
    expect((await ask(customer)).status).toBe(200);
    expect(await storedBytes(customer)).toBe(gb);
    expect((await ask(customer, 1)).status).toBe(409);
  });

  test('of many concurrent uploads, also the first ones, only as many as fit are accepted', async () => {
    const customer = await world.customer();
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(customer)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(50).fill(200), ...Array(10).fill(409)]);
    expect(await storedBytes(customer)).toBe(gb);
    expect(await Upload.countDocuments({ organizationId: customer.organizationId })).toBe(50);
  });

  test('test mode, live mode and other organizations have separate limits', async () => {
    const customer = await world.customer();
    const live = await world.customer({ mode: 'live', organizationId: customer.organizationId });
    await setStoredBytes(customer, gb);
    await setStoredBytes(live, 2 * gb - sizeBytes);
    expect((await ask(customer)).status).toBe(409);
    expect((await ask(live)).status).toBe(200);
    expect((await ask(live, 1)).body.message).toMatch(/live mode.*2000000000 bytes/);
    expect((await ask(await world.customer())).status).toBe(200);
  });
});
