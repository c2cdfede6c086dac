import { createHash, randomBytes } from 'node:crypto';
import { access, readFile, writeFile } from 'node:fs/promises';
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, test } from '@jest/globals';
import {
  ObjectChangedError,
  ObjectMissingError,
  ObjectTooLargeError,
  StoreUnavailableError,
} from '../../common/platform/object-store-errors.ts';
import { createObjectStoreClient } from '../../common/platform/s3.ts';
import { hello, pdf, type StartedStore, startObjectStoreWorld } from '../support/object-store-world.ts';
import { errorCodeOf, sendRaw } from '../support/send-raw.ts';

/** What every S3 store that the product runs on must do; run against ours and against a real one. */
export function objectStoreContract(start: () => Promise<StartedStore>): void {
  const world = startObjectStoreWorld(start);
  const { newKey, newPath, sign, upload, download, sdkClient } = world;
  const named = (Key: string) => ({ Bucket: world.settings.bucket, Key });

  describe('an upload address', () => {
    test('given one, when the file is put with the headers that came along, then it is there whole', async () => {
      const key = newKey();
      expect(await upload(key)).toMatchObject({ status: 200 });
      const md5 = createHash('md5').update(hello).digest('hex');
      expect(await world.store.head(key)).toEqual({ sizeBytes: hello.length, contentType: pdf, etag: `"${md5}"` });
      expect(await download(key)).toEqual(hello);
    });

    type Misuse = {
      headers?: Record<string, string | undefined>;
      body?: string;
      method?: string;
      edit?(url: string): string;
    };
    const misuses: [string, Misuse][] = [
      ['another type', { headers: { 'content-type': 'text/html' } }],
      ['no type', { headers: { 'content-type': undefined } }],
      ['a longer file', { body: `${hello} and more` }],
      ['a shorter file', { body: 'hello' }],
      ['another key', { edit: (url) => url.replace('?', 'x?') }],
      ['an empty key', { edit: (url) => url.replace(/u\/org_1\/\w+\?/, '?') }],
      ['another signature', { edit: (url) => url.replace(/Signature=.{8}/, 'Signature=00000000') }],
      ['a longer life', { edit: (url) => url.replace('Expires=600', 'Expires=6000') }],
      ['another method', { method: 'DELETE' }],
    ];
    test.each(misuses)('given one, when it is used with %s, then 403 and nothing is stored', async (_, misuse) => {
      const key = newKey();
      const { url, headers } = sign(key);
      const { edit = (same: string) => same, method = 'PUT', body = hello } = misuse;
      const sent = Object.entries({ ...headers, ...misuse.headers }).filter(
        (entry): entry is [string, string] => !!entry[1],
      );
      const answer = await sendRaw(edit(url), { method, headers: Object.fromEntries(sent), body });
      expect([answer.status, errorCodeOf(answer)]).toEqual([403, 'SignatureDoesNotMatch']);
      expect(await world.store.head(key)).toBeNull();
    });

    test('given one of 601 s ago, when it is used, then it has expired', async () => {
      const key = newKey();
      const { url, headers } = sign(key, { ageS: 601 });
      const answer = await sendRaw(url, { method: 'PUT', headers, body: hello });
      expect([answer.status, errorCodeOf(answer)]).toEqual([403, 'AccessDenied']);
      expect(answer.body.toString()).toContain('Request has expired');
      expect(await world.store.head(key)).toBeNull();
    });

    test('given a file in place, when its address is used again, then its ETag tells, and a condition refuses', async () => {
      const key = newKey();
      await upload(key);
      const before = await world.store.head(key);
      const { url, headers } = sign(key);
      const guarded = { ...headers, 'if-none-match': '*' };
      const refused = await sendRaw(url, { method: 'PUT', headers: guarded, body: Buffer.from('other, letter') });
      expect([refused.status, errorCodeOf(refused)]).toEqual([412, 'PreconditionFailed']);
      expect(await download(key)).toEqual(hello);
      const other = Buffer.from('x'.repeat(hello.length));
      expect(await upload(key, other)).toMatchObject({ status: 200 });
      expect((await world.store.head(key))?.etag).not.toBe(before?.etag);
    });

    test('given a bucket that is not there, when it is written to or checked, then it is told so', async () => {
      const foreign = createObjectStoreClient({ ...world.settings, bucket: 'somebody-elses' });
      const put = { key: newKey(), contentType: pdf, sizeBytes: hello.length, expiresInS: 600, at: new Date() };
      const { url, headers } = foreign.presignPut(put);
      const answer = await sendRaw(url, { method: 'PUT', headers, body: hello });
      expect([answer.status, errorCodeOf(answer)]).toEqual([404, 'NoSuchBucket']);
      await expect(foreign.check()).rejects.toThrow(StoreUnavailableError);
      foreign.close();
    });

    test('given 20 MiB, when they are put and fetched, then every byte is the same', async () => {
      const key = newKey();
      const body = randomBytes(20 * 1024 * 1024);
      expect(await upload(key, body)).toMatchObject({ status: 200 });
      expect((await download(key)).equals(body)).toBe(true);
    });

    test.each(["é ü+~()*!'%20&?#=日本😀", 'a//b', 'with space/and%2Fescape'])(
      'given the key %j, when a file is put there, then it is found under that key',
      async (name) => {
        const key = `${newKey()}/${name}`;
        expect(await upload(key)).toMatchObject({ status: 200 });
        expect(await download(key)).toEqual(hello);
      },
    );

    test.each(['../', '../../', 'u/../../../'])(
      'given a key that begins with %s, when a file is put there, then it is refused or that key is all that is made',
      async (way) => {
        const name = newKey().replaceAll('/', '-');
        const { status } = await upload(way + name);
        expect([200, 400]).toContain(status);
        expect(await world.store.head(name)).toBeNull();
        if (status === 200) expect(await download(way + name)).toEqual(hello);
      },
    );
  });

  describe('a stored object', () => {
    test('given no signature, when an object is read, written, or deleted, then 403', async () => {
      const key = newKey();
      await upload(key);
      const url = `${world.settings.endpoint}/${world.settings.bucket}/${key}`;
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
        expect(await sendRaw(url, { method, body: method === 'PUT' ? 'x' : '' })).toMatchObject({ status: 403 });
      }
      expect(await download(key)).toEqual(hello);
    });

    test('given no object, when it is asked for, then head is null, a fetch names it missing, a delete is content', async () => {
      const [key, path] = [newKey(), newPath()];
      expect(await world.store.head(key)).toBeNull();
      const fetched = world.store.getToFile({ key, path, ifMatch: '"0"', maxBytes: 1_000 });
      await expect(fetched).rejects.toThrow(ObjectMissingError);
      await expect(access(path)).rejects.toThrow('ENOENT');
      await world.store.delete(key);
    });

    test('given an object, when it is deleted, then it is gone', async () => {
      const key = newKey();
      await upload(key);
      await world.store.delete(key);
      expect(await world.store.head(key)).toBeNull();
    });

    test('given an object that was replaced, when the former is fetched by its ETag, then it has changed', async () => {
      const [key, source, path] = [newKey(), newPath(), newPath()];
      await upload(key);
      const { etag } = (await world.store.head(key))!;
      await writeFile(source, 'other, letter');
      await world.store.putFile({ key, path: source, contentType: pdf });
      const fetched = world.store.getToFile({ key, path, ifMatch: etag, maxBytes: 1_000 });
      await expect(fetched).rejects.toThrow(ObjectChangedError);
      await expect(access(path)).rejects.toThrow('ENOENT');
    });

    test('given an object of n bytes, when n - 1 may be fetched, then none is kept', async () => {
      const [key, path] = [newKey(), newPath()];
      await upload(key);
      const { etag } = (await world.store.head(key))!;
      const fetched = world.store.getToFile({ key, path, ifMatch: etag, maxBytes: hello.length - 1 });
      await expect(fetched).rejects.toThrow(ObjectTooLargeError);
      await expect(access(path)).rejects.toThrow('ENOENT');
    });

    test.each([0, 1, 300_000])(
      'given a file of %d bytes, when it is put, then it is stored with its type',
      async (sizeBytes) => {
        const [key, source] = [newKey(), newPath()];
        await writeFile(source, randomBytes(sizeBytes));
        const { etag } = await world.store.putFile({ key, path: source, contentType: 'image/png' });
        expect(await world.store.head(key)).toEqual({ sizeBytes, contentType: 'image/png', etag });
        expect((await download(key)).equals(await readFile(source))).toBe(true);
      },
    );

    const ranges: [string, number, string][] = [
      ['bytes=7-12', 206, 'letter'],
      ['bytes=7-', 206, 'letter'],
      ['bytes=-6', 206, 'letter'],
      ['bytes=0-999', 206, 'hello, letter'],
      ['bytes=13-', 416, ''],
    ];
    test.each(ranges)('given 13 bytes, when %s is asked for, then %d', async (range, status, text) => {
      const key = newKey();
      await upload(key);
      const url = await getSignedUrl(sdkClient(), new GetObjectCommand(named(key)), { expiresIn: 60 });
      const answer = await sendRaw(url, { method: 'GET', headers: { range } });
      expect(answer.status).toBe(status);
      if (status === 206) expect(answer.body.toString()).toBe(text);
      else expect(errorCodeOf(answer)).toBe('InvalidRange');
    });
  });

  describe("Amazon's client", () => {
    test('given signed headers and a hashed body, when an object is put, read and deleted, then each works', async () => {
      const [client, key] = [sdkClient(), newKey()];
      await client.send(new PutObjectCommand({ ...named(key), Body: hello, ContentType: pdf }));
      const got = await client.send(new GetObjectCommand(named(key)));
      expect(await got.Body?.transformToString()).toBe(hello.toString());
      expect(await client.send(new HeadObjectCommand(named(key)))).toMatchObject({ ContentType: pdf, ETag: got.ETag });
      expect(Math.abs(Date.now() - got.LastModified!.getTime())).toBeLessThan(60_000);
      await client.send(new DeleteObjectCommand(named(key)));
      await expect(client.send(new GetObjectCommand(named(key)))).rejects.toMatchObject({ name: 'NoSuchKey' });
    });

    test('given an object, when it is put on condition, then If-None-Match and a wrong If-Match refuse', async () => {
      const [client, key] = [sdkClient(), newKey()];
      const { ETag } = await client.send(new PutObjectCommand({ ...named(key), Body: hello }));
      for (const condition of [{ IfNoneMatch: '*' }, { IfMatch: '"0123456789abcdef0123456789abcdef"' }]) {
        const put = client.send(new PutObjectCommand({ ...named(key), Body: 'x', ...condition }));
        await expect(put).rejects.toMatchObject({ name: 'PreconditionFailed' });
      }
      expect(await download(key)).toEqual(hello);
      await client.send(new PutObjectCommand({ ...named(key), Body: 'x', IfMatch: ETag }));
      expect((await download(key)).toString()).toBe('x');
    });

    test('given a body that is not the signed one, when it is put, then it is refused and nothing is stored', async () => {
      const [client, key] = [sdkClient(), newKey()];
      client.middlewareStack.add(
        (next) => (args) => {
          const { headers } = args.request as { headers: Record<string, string> };
          headers['x-amz-content-sha256'] = createHash('sha256').update('another body').digest('hex');
          return next(args);
        },
        { step: 'build' },
      );
      const put = client.send(new PutObjectCommand({ ...named(key), Body: hello }));
      await expect(put).rejects.toMatchObject({ name: 'XAmzContentSHA256Mismatch' });
      expect(await world.store.head(key)).toBeNull();
    });

    test('given a wrong secret, when anything is asked, then 403, and for our own client the store is away', async () => {
      const wrong = { secretAccessKey: 'not-the-secret' };
      const put = sdkClient(wrong).send(new PutObjectCommand({ ...named(newKey()), Body: hello }));
      await expect(put).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
      const mistaken = createObjectStoreClient({ ...world.settings, ...wrong });
      await expect(mistaken.head(newKey())).rejects.toThrow(StoreUnavailableError);
      mistaken.close();
    });
  });
}
