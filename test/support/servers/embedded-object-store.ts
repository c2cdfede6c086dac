import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ObjectStoreOptions, startObjectStore } from '#scripts/local-servers/object-store/start-object-store.ts';
import type { StartedStore } from './object-store-world.ts';

/** Bucket and credentials of the embedded store in tests. */
export const access = {
  bucket: 'bluejay',
  region: 'us-east-1',
  accessKeyId: 'embedded-key',
  secretAccessKey: 'secret',
};

/** Starts the embedded store in this process, on a folder that `stop` removes. */
export async function startEmbeddedObjectStore(options: Partial<ObjectStoreOptions> = {}): Promise<StartedStore> {
  const dir = await mkdtemp(join(tmpdir(), 'object-store-'));
  const { url: endpoint, close } = await startObjectStore({ dir, port: 0, ...access, ...options });

  return {
    settings: { ...access, endpoint, publicEndpoint: endpoint },
    async stop() {
      await close();
      await rm(dir, { recursive: true });
    },
  };
}
