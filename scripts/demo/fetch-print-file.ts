import { rename, rm } from 'node:fs/promises';
import type { Config } from '#common/config.ts';
import { createObjectStoreClient } from '#common/platform/s3/s3.ts';

const maxBytes = 500 * 1024 * 1024;

/** Downloads a job's print file from the object store to `path`. Rejects when it does not exist. */
export async function fetchPrintFile(settings: Config['s3'], key: string, path: string): Promise<void> {
  const store = createObjectStoreClient(settings);
  const draft = `${path}.${process.pid}.part`;
  try {
    await rm(draft, { force: true });
    await store.getToFile({ key, path: draft, maxBytes });
    await rename(draft, path);
  } finally {
    store.close();
  }
}
