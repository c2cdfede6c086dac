import { rename, rm } from 'node:fs/promises';
import type { Config } from '../../common/config.ts';
import { createObjectStoreClient } from '../../common/platform/s3.ts';

const maxBytes = 500 * 1024 * 1024;

/** Copies a job's print file out of the object store, as a print shop would, to `path`. Rejects when it is not there. */
export async function fetchPrintFile(settings: Config['s3'], key: string, path: string): Promise<void> {
  const store = createObjectStoreClient(settings);
  const draft = `${path}.${process.pid}.part`;
  try {
    const facts = await store.head(key);
    if (!facts) throw new Error(`the object store has no ${key}`);
    await rm(draft, { force: true });
    await store.getToFile({ key, path: draft, ifMatch: facts.etag, maxBytes });
    await rename(draft, path);
  } finally {
    store.close();
  }
}
