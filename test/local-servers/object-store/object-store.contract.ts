import { createHash, randomBytes } from 'node:crypto';
import { access, readFile, writeFile } from 'node:fs/promises';
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import {
  ObjectChangedError,
  ObjectMissingError,
  ObjectTooLargeError,
  StoreUnavailableError,
} from '#common/platform/s3/object-store-errors.ts';
import { createObjectStoreClient } from '#common/platform/s3/s3.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { errorCodeOf, sendRaw } from '#test/support/send-raw.ts';
import { hello, pdf, type StartedStore, startObjectStoreWorld } from '#test/support/servers/object-store-world.ts';

/** The S3 behaviour that the product needs, checked for the embedded store and for a real one. */
export function objectStoreContract(start: () => Promise<StartedStore>): void {
  const world = startObjectStoreWorld(start);
  const { newKey, newPath, sign, upload, download, sdkClient } = world;
  const named = (Key: string) => ({ Bucket: world.settings.bucket, Key });

  describe('an upload address', () => {
    test('a PUT with the returned headers stores the whole file', async () => {
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
    test.each(misuses)('using it with %s is answered 403 and stores nothing', async (_, misuse) => {
      const key = newKey();
      const { url, headers } = await sign(key);
      const { edit = (same: string) => same, method = 'PUT', body = hello } = misuse;
      const sent = Object.entries({ ...headers, ...misuse.headers }).filter(
        (entry): entry is [string, string] => !!entry[1],
      );
      const answer = await sendRaw(edit(url), { method, headers: Object.fromEntries(sent), body });
      expect([answer.status, errorCodeOf(answer)]).toEqual([403, 'SignatureDoesNotMatch']);
      expect(await world.store.head(key)).toBeNull();
    });

    test('it has expired after 601 s', async () => {
      const key = newKey();
      const { url, headers } = await sign(key, { ageS: 601 });
      const answer = await sendRaw(url, { method: 'PUT', headers, body: hello });
      expect([answer.status, errorCodeOf(answer)]).toEqual([403, 'AccessDenied']);
      expect(answer.body.toString()).toContain('Request has expired');
      expect(await world.store.head(key)).toBeNull();
    });

    test('a second upload changes the ETag', async () => {
      const key = newKey();
      await upload(key);
      const before = await world.store.head(key);
      const other = Buffer.from('x'.repeat(hello.length));
      expect(await upload(key, other)).toMatchObject({ status: 200 });
      expect((await world.store.head(key))?.etag).not.toBe(before?.etag);
    });

    test('a bucket that does not exist is reported on a write and on a check', async () => {
      const foreign = createObjectStoreClient({ ...world.settings, bucket: 'somebody-elses' });
      const put = { key: newKey(), contentType: pdf, sizeBytes: hello.length, expiresInS: 600, at: new Date() };
      const { url, headers } = await foreign.presignPut(put);
      const answer = await sendRaw(url, { method: 'PUT', headers, body: hello });
      expect([answer.status, errorCodeOf(answer)]).toEqual([404, 'NoSuchBucket']);
      await expect(foreign.check()).rejects.toThrow(StoreUnavailableError);
      foreign.close();
    });

    test('a file of 20 MiB comes back unchanged', async () => {
      const key = newKey();
      const body = randomBytes(20 * 1024 * 1024);
      expect(await upload(key, body)).toMatchObject({ status: 200 });
      expect((await download(key)).equals(body)).toBe(true);
    });

    const oddNames = ["é ü+~()*!'%20&?#=日本😀", 'a//b', 'with space/and%2Fescape'];
    test.each(oddNames)('a file with the key %j is found under that key', async (name) => {
      const key = `${newKey()}/${name}`;
      expect(await upload(key)).toMatchObject({ status: 200 });
      expect(await download(key)).toEqual(hello);
    });

    const waysUp = ['../', '../../', 'u/../../../'];
    test.each(waysUp)('a key that begins with %s is refused or stored under exactly that key', async (way) => {
      const name = newKey().replaceAll('/', '-');
      const { status } = await upload(way + name);
      expect([200, 400]).toContain(status);
      expect(await world.store.head(name)).toBeNull();
      if (status === 200) expect(await download(way + name)).toEqual(hello);
    });
  });

  describe('a stored object', () => {
    test('requests without a signature are answered 403', async () => {
      const key = newKey();
      await upload(key);
      const url = `${world.settings.endpoint}/${world.settings.bucket}/${key}`;
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
        expect(await sendRaw(url, { method, body: method === 'PUT' ? 'x' : '' })).toMatchObject({ status: 403 });
      }
      expect(await download(key)).toEqual(hello);
    });

    test('a missing object gives null, ObjectMissingError, and a successful delete', async () => {
      const [key, path] = [newKey(), newPath()];
      expect(await world.store.head(key)).toBeNull();
      const fetched = world.store.getToFile({ key, path, ifMatch: '"0"', maxBytes: 1_000 });
      await expect(fetched).rejects.toThrow(ObjectMissingError);
      await expect(world.store.get({ key, maxBytes: 1_000 })).rejects.toThrow(ObjectMissingError);
      await expect(access(path)).rejects.toThrow('ENOENT');
      await world.store.delete(key);
    });

    test('a deleted object is gone', async () => {
      const key = newKey();
      await upload(key);
      await world.store.delete(key);
      expect(await world.store.head(key)).toBeNull();
    });

    test('fetching a replaced object by its former ETag fails as changed', async () => {
      const [key, source, path] = [newKey(), newPath(), newPath()];
      await upload(key);
      const { etag } = (await world.store.head(key))!;
      await writeFile(source, 'other, letter');
      await world.store.putFile({ key, path: source, contentType: pdf });
      const fetched = world.store.getToFile({ key, path, ifMatch: etag, maxBytes: 1_000 });
      await expect(fetched).rejects.toThrow(ObjectChangedError);
      await expect(world.store.get({ key, ifMatch: etag, maxBytes: 1_000 })).rejects.toThrow(ObjectChangedError);
      await expect(access(path)).rejects.toThrow('ENOENT');
    });

    test('an object one byte above the limit of the fetch is refused and not kept', async () => {
      const [key, path] = [newKey(), newPath()];
      await upload(key);
      const { etag } = (await world.store.head(key))!;
      const fetched = world.store.getToFile({ key, path, ifMatch: etag, maxBytes: hello.length - 1 });
      await expect(fetched).rejects.toThrow(ObjectTooLargeError);
      await expect(world.store.get({ key, maxBytes: hello.length - 1 })).rejects.toThrow(ObjectTooLargeError);
      expect(await world.store.get({ key, ifMatch: etag, maxBytes: hello.length })).toEqual(hello);
      await expect(access(path)).rejects.toThrow('ENOENT');
    });

    test.each([0, 1, 300_000])('a file of %d bytes is stored with its type', async (sizeBytes) => {
      const [key, source] = [newKey(), newPath()];
      await writeFile(source, randomBytes(sizeBytes));
      const { etag } = await world.store.putFile({ key, path: source, contentType: 'image/png' });
      expect(await world.store.head(key)).toEqual({ sizeBytes, contentType: 'image/png', etag });
      expect((await download(key)).equals(await readFile(source))).toBe(true);
    });

    test.each([0, 1, 300_000])('%d bytes of memory are stored with their type', async (sizeBytes) => {
      const [key, bytes] = [newKey(), randomBytes(sizeBytes)];
      await world.store.put({ key, bytes, contentType: 'image/png' });
      expect(await world.store.head(key)).toMatchObject({ sizeBytes, contentType: 'image/png' });
      expect((await world.store.get({ key, maxBytes: sizeBytes })).equals(bytes)).toBe(true);
    });
  });

  describe('the list of objects', () => {
    test('it has the objects of a prefix in the order of their keys, over several pages', async () => {
      const folder = `${newKey()}/`;
      const names = ['a b', 'a&b', 'c', 'd/e', 'é'];
      for (const name of names) {
        await world.store.put({ key: folder + name, bytes: Buffer.from(name), contentType: pdf });
      }
      const listed = await Array.fromAsync(world.store.list(folder, 2));
      const sizes = names.map((name) => ({ key: folder + name, sizeBytes: Buffer.byteLength(name) }));
      expect(listed).toEqual(sizes);
      expect(await Array.fromAsync(world.store.list(`${folder}none`))).toEqual([]);
    });

    test('without a signature it is answered 403', async () => {
      const url = `${world.settings.endpoint}/${world.settings.bucket}/?list-type=2`;
      expect(await sendRaw(url, { method: 'GET', body: '' })).toMatchObject({ status: 403 });
    });
  });

  describe("Amazon's client", () => {
    test('an object can be put by a presigned URL, read and deleted with signed headers', async () => {
      const [client, key] = [sdkClient(), newKey()];
      const put = new PutObjectCommand({ ...named(key), ContentType: pdf });
      const url = await getSignedUrl(client, put, {
        expiresIn: 60,
        signableHeaders: new Set(['host', 'content-type']),
      });
      const sent = await sendRaw(url, { method: 'PUT', headers: { 'content-type': pdf }, body: hello });
      expect(sent).toMatchObject({ status: 200 });
      const got = await client.send(new GetObjectCommand(named(key)));
      expect(await got.Body?.transformToString()).toBe(hello.toString());
      expect(await client.send(new HeadObjectCommand(named(key)))).toMatchObject({ ContentType: pdf, ETag: got.ETag });
      await client.send(new DeleteObjectCommand(named(key)));
      await expect(client.send(new GetObjectCommand(named(key)))).rejects.toMatchObject({ name: 'NoSuchKey' });
    });

    test('a wrong secret is answered 403, and our client reports the store as unavailable', async () => {
      const wrong = { secretAccessKey: 'not-the-secret' };
      const got = sdkClient(wrong).send(new GetObjectCommand(named(newKey())));
      await expect(got).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
      const mistaken = createObjectStoreClient({ ...world.settings, ...wrong });
      await expect(mistaken.head(newKey())).rejects.toThrow(StoreUnavailableError);
      mistaken.close();
    });
  });
}
