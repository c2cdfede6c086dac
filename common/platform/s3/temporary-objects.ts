import { randomUUID } from 'node:crypto';
import { plusMs } from '#common/clock.ts';
import type { Log } from '../process/log.ts';
import { removeEach } from './remove-each.ts';
import type { ObjectStore } from './s3.ts';
import { TemporaryObject, type TemporaryObjectRecord } from './temporary-object.model.ts';

/** How long a signed URL of a temporary object lives. */
export const urlLifeS = 300;
const urlLifeMs = urlLifeS * 1000;
/** How long requests share an object. */
const defaultKeptMs = 60 * 60 * 1000;
/** Objects removed per run, to keep runs short. The next run continues. */
export const maxTemporaryRemoved = 500;
/** Delay before a failed deletion is retried. */
const retryMs = 10 * 60 * 1000;

export type TemporaryObjectToStore = {
  /** What the object is, for example the proof of one copy. The same name means the same bytes. */
  name: string;
  /** The end of its key, which browsers show as its file name. */
  filename: string;
  contentType: string;
};
type Content = { bytes: Buffer } | { path: string };

/** A signed URL, and when it stops working. */
export type SignedUrl = { url: string; expiresAt: Date };

/**
 * Returns a URL of the object with this name. Calls `make` and stores the result unless the object is in the store for
 * long enough.
 */
export async function signTemporaryObject(
  object: TemporaryObjectToStore,
  make: () => Promise<Content>,
  { store, at }: { store: ObjectStore; at: Date },
): Promise<SignedUrl> {
  const known = await findStored(object.name, at);
  const key = known ?? (await storeTemporaryObject(object, await make(), { store, at }));
  return await signUrl(key, { store, at });
}

/** Returns a URL of a stored object that works for five minutes. */
export async function signUrl(key: string, { store, at }: { store: ObjectStore; at: Date }): Promise<SignedUrl> {
  return { url: await store.presignGet({ key, expiresInS: urlLifeS, at }), expiresAt: plusMs(at, urlLifeMs) };
}

/**
 * Stores an object and returns its key, for which URLs may be signed during `keptMs`. It is removed when the last of them
 * has stopped working. The row is written first, so an interrupted call leaves no object that is never removed.
 */
export async function storeTemporaryObject(
  { name, filename, contentType }: TemporaryObjectToStore,
  content: Content,
  { store, at, keptMs = defaultKeptMs }: { store: ObjectStore; at: Date; keptMs?: number },
): Promise<string> {
  const key = `t/${randomUUID()}/${filename}`;
  await TemporaryObject.create({ _id: key, name, storedAt: null, removeAt: plusMs(at, keptMs + urlLifeMs) });
  if ('bytes' in content) await store.put({ key, contentType, bytes: content.bytes });
  else await store.putFile({ key, contentType, path: content.path });
  await TemporaryObject.updateOne({ _id: key }, { $set: { storedAt: at } });
  return key;
}

/** Returns the key of the object if it outlives a URL that is signed now. */
async function findStored(name: string, at: Date): Promise<string | null> {
  const removeAt = { $gt: plusMs(at, urlLifeMs) };
  const found = await TemporaryObject.findOne({ name, storedAt: { $ne: null }, removeAt })
    .sort({ removeAt: -1 })
    .lean<TemporaryObjectRecord>();
  return found?._id ?? null;
}

/**
 * Removes objects whose time is over: first the object, then the row. Returns how many were tried. Throws the store's
 * error when the store seems to be unavailable.
 */
export async function removeTemporaryObjects(
  { store, log }: { store: ObjectStore; log: Log },
  at: Date,
): Promise<number> {
  const over = await TemporaryObject.find({ removeAt: { $lte: at } })
    .sort({ removeAt: 1 })
    .limit(maxTemporaryRemoved)
    .lean<TemporaryObjectRecord[]>();
  await removeEach(over, {
    async remove({ _id }) {
      await store.delete(_id);
      await TemporaryObject.deleteOne({ _id });
    },
    async postpone({ _id }, error) {
      log.warn({ err: error, s3Key: _id }, 'temporary object not removed, retrying later');
      await TemporaryObject.updateOne({ _id }, { $set: { removeAt: plusMs(at, retryMs) } });
    },
  });
  return over.length;
}
