import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import type { PresignedPut } from '#common/platform/s3/presign.ts';
import { createObjectStoreClient, type ObjectStore, type ObjectStoreSettings } from '#common/platform/s3/s3.ts';
import { afterAll, beforeAll } from '../jest.ts';
import { type RawAnswer, sendRaw } from '../send-raw.ts';

export type StartedStore = { settings: ObjectStoreSettings; stop(): Promise<void> };

export const pdf = 'application/pdf';
export const hello = Buffer.from('hello, letter');

/** Sets up a running store, our client and a folder for files, for all tests of a file. */
export function startObjectStoreWorld(start: () => Promise<StartedStore>) {
  let started: StartedStore;
  let store: ObjectStore;
  let folder: string;
  const clients: { destroy(): void }[] = [];

  beforeAll(async () => {
    started = await start();
    store = createObjectStoreClient(started.settings);
    await store.ensureBucket();
    folder = await mkdtemp(join(tmpdir(), 'object-store-world-'));
  });
  afterAll(async () => {
    store?.close();
    for (const client of clients) client.destroy();
    await started?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  const world = {
    get settings(): ObjectStoreSettings {
      return started.settings;
    },
    get store(): ObjectStore {
      return store;
    },
    newKey: () => `u/org_1/${randomBytes(8).toString('hex')}`,
    newPath: () => join(folder, randomBytes(8).toString('hex')),

    /** Returns an upload URL for `body`, signed `ageS` seconds ago, valid for ten minutes. */
    sign(key: string, { body = hello, ageS = 0 } = {}): Promise<PresignedPut> {
      const at = new Date(Date.now() - ageS * 1_000);
      return store.presignPut({ key, contentType: pdf, sizeBytes: body.length, expiresInS: 600, at });
    },
    /** Uploads as a customer does: signs a URL and puts the file there. */
    async upload(key: string, body = hello): Promise<RawAnswer> {
      const { url, headers } = await world.sign(key, { body });
      return await sendRaw(url, { method: 'PUT', headers, body });
    },
    async download(key: string): Promise<Buffer> {
      const path = world.newPath();
      await store.getToFile({ key, path, maxBytes: 100_000_000 });
      return readFile(path);
    },
    /** Returns Amazon's own client. */
    sdkClient(changes: Partial<ObjectStoreSettings> = {}): S3Client {
      const { endpoint, region, accessKeyId, secretAccessKey } = { ...started.settings, ...changes };
      const client = new S3Client({
        ...{ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey }, maxAttempts: 1 },
        ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
      });
      clients.push(client);
      return client;
    },
  };
  return world;
}
