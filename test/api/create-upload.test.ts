import { beforeAll, describe, expect, test } from '@jest/globals';
import { uploadMimeTypes } from '../../common/mime-types.ts';
import { Upload } from '../../common/uploads/upload.model.ts';
import type { Customer } from '../support/customer.ts';
import { issuePaths } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const aFile = { filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes: 5 };

/** The clock stands, so that the times in an answer are exact; near enough to now for the store to take signatures. */
const now = new Date();

describe('POST /v1/uploads', () => {
  const world = startWorld({ clock: { now: () => now } });
  let customer: Customer;
  beforeAll(async () => {
    customer = await world.customer();
  });
  const ask = (overrides: Record<string, unknown> = {}) =>
    customer.http.post('/v1/uploads', { ...aFile, ...overrides });
  const put = (url: string, headers: Record<string, string>, body: string) =>
    fetch(url, { method: 'PUT', headers, body });

  test('given a file, when an address is asked for, then it comes with key, method, headers and both times', async () => {
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

  test('given an address, when the file is put there as declared, then the store takes it', async () => {
    const { body } = await ask();
    expect((await put(body.uploadUrl, body.headers, '12345')).status).toBe(200);
    expect(await world.store.head(body.s3Key)).toMatchObject({ sizeBytes: 5, contentType: 'application/pdf' });
  });

  test('given an address, when another type, another length or another key is put there, then the store refuses', async () => {
    const { body } = await ask();
    const other = (await ask()).body;
    const wrongType = { ...body.headers, 'content-type': 'text/html' };
    expect((await put(body.uploadUrl, wrongType, '12345')).status).toBe(403);
    expect((await put(body.uploadUrl, body.headers, '123456')).status).toBe(403);
    expect((await put(body.uploadUrl.replace(body.s3Key, other.s3Key), body.headers, '12345')).status).toBe(403);
    expect(await world.store.head(body.s3Key)).toBeNull();
    expect(await world.store.head(other.s3Key)).toBeNull();
  });

  test('given the same file twice, when addresses are asked for, then the keys differ and hold nothing of the name', async () => {
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
  ])(
    'given %s, when each good value is sent, then 200, and with each bad one 400 names it',
    async (field, good, bad) => {
      for (const value of good) expect([value, (await ask({ [field]: value })).status]).toEqual([value, 200]);
      for (const value of bad) {
        const answer = await ask({ [field]: value });
        expect([value, answer.status, answer.body.code]).toEqual([value, 400, 'VALIDATION_ERROR']);
        expect(new Set(issuePaths(answer))).toEqual(new Set([field]));
      }
    },
  );

  test('given a name with spaces around it, when it is stored, then it is trimmed', async () => {
    const { body } = await ask({ filename: '  letter.pdf\n' });
    expect(await Upload.findById(body.s3Key).lean()).toMatchObject({ filename: 'letter.pdf', mode: 'test' });
  });

  test('given fields that are missing or unknown, when an address is asked for, then 400 names all of them', async () => {
    const text = '{"mimetype":"application/pdf","__proto__":{},"sizeBytes":1}';
    const init = { body: text, headers: { 'content-type': 'application/json' } };
    const answer = await customer.http.request('POST', '/v1/uploads', init);
    expect(answer.status).toBe(400);
    expect(issuePaths(answer).sort()).toEqual(['__proto__', 'filename', 'mimeType', 'mimetype']);
  });

  test('given a refused request, when it is over, then nothing is stored', async () => {
    const before = await Upload.countDocuments();
    await ask({ sizeBytes: 20_971_521 });
    expect(await Upload.countDocuments()).toBe(before);
  });
});
