import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { keysWithin } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import type { Log } from '../process/log.ts';
import { removeEach } from './remove-each.ts';
import type { ObjectStore } from './s3.ts';
import { TemporaryObject, type TemporaryObjectRecord } from './temporary-object.model.ts';

/** How long a signed URL of a temporary object lives. */
export const urlLifeS = 300;
const urlLifeMs = urlLifeS * 1000;
/** How long requests share an object. With the life of a URL, it is stored for 15 minutes. */
const defaultKeptMs = 10 * 60 * 1000;
/** Most bytes of an owner's temporary objects at a time: the proofs of four of the largest print files. */
const maxBytesOfOwner = 2 * 1024 ** 3;
/** When a request beyond that is worth a retry. */
const fullRetryS = 60;
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
  /** Whose limit it counts towards. Without an owner it is not counted. */
  owner?: Owner;
};
/** An object that is made on demand. `maxBytes` is reserved for it until its size is known. */
export type TemporaryObjectToMake = TemporaryObjectToStore & { owner: Owner; maxBytes: number };
type Content = { bytes: Buffer } | { path: string };

/** A signed URL, and when it stops working. */
export type SignedUrl = { url: string; expiresAt: Date };

/**
 * Returns a URL of the object with this name. Calls `make` and stores the result unless the object is in the store for
 * long enough. Throws RATE_LIMITED when its owner would have more than 2 GiB of temporary objects, also at once.
 */
export async function signTemporaryObject(
  object: TemporaryObjectToMake,
  make: () => Promise<Content>,
  { store, at }: { store: ObjectStore; at: Date },
): Promise<SignedUrl> {
  const known = await signStored(object.name, { store, at });
  if (known) return known;
  const { maxBytes } = object;
  const key = await createRow(object, { sizeBytes: maxBytes, removeAt: plusMs(at, defaultKeptMs + urlLifeMs) });
  const content = await requireTemporarySpace(object.owner)
    .then(make)
    .catch(async (error: unknown) => {
      // Nothing was stored under this key.
      await TemporaryObject.deleteOne({ _id: key });
      throw error;
    });
  await fill(key, object, content, { store, at });
  return await signUrl(key, { store, at });
}

/** Returns a URL of the object with this name, null if it is not in the store for long enough. */
export async function signStored(
  name: string,
  { store, at }: { store: ObjectStore; at: Date },
): Promise<SignedUrl | null> {
  const removeAt = { $gt: plusMs(at, urlLifeMs) };
  const found = await TemporaryObject.findOne({ name, storedAt: { $ne: null }, removeAt })
    .sort({ removeAt: -1 })
    .lean<TemporaryObjectRecord>();
  return found && (await signUrl(found._id, { store, at }));
}

/** Returns a URL of a stored object that works for five minutes. */
export async function signUrl(key: string, { store, at }: { store: ObjectStore; at: Date }): Promise<SignedUrl> {
  return { url: await store.presignGet({ key, expiresInS: urlLifeS, at }), expiresAt: plusMs(at, urlLifeMs) };
}

/**
 * Stores an object and returns its key, for which URLs may be signed during `keptMs`. It is removed when the last of them
 * has stopped working. It counts towards the limit of its owner, and is stored also beyond that limit.
 */
export async function storeTemporaryObject(
  object: TemporaryObjectToStore,
  content: Content,
  { store, at, keptMs = defaultKeptMs }: { store: ObjectStore; at: Date; keptMs?: number },
): Promise<string> {
  const removeAt = plusMs(at, keptMs + urlLifeMs);
  const key = await createRow(object, { sizeBytes: await sizeOf(content), removeAt });
  await fill(key, object, content, { store, at });
  return key;
}

/** The row is written before the object, so an interrupted call leaves no object that is never removed. */
async function createRow(
  { name, filename, owner }: TemporaryObjectToStore,
  fields: Pick<TemporaryObjectRecord, 'sizeBytes' | 'removeAt'>,
): Promise<string> {
  const _id = `t/${randomUUID()}/${filename}`;
  const ofOwner = owner && { organizationId: owner.organizationId, mode: owner.mode };
  await TemporaryObject.create({ _id, name, storedAt: null, ...ofOwner, ...fields });
  return _id;
}

async function fill(
  key: string,
  { contentType }: TemporaryObjectToStore,
  content: Content,
  { store, at }: { store: ObjectStore; at: Date },
): Promise<void> {
  if ('bytes' in content) await store.put({ key, contentType, bytes: content.bytes });
  else await store.putFile({ key, contentType, path: content.path });
  const sizeBytes = await sizeOf(content);
  await TemporaryObject.updateOne({ _id: key }, { $set: { storedAt: at, sizeBytes } });
}

async function sizeOf(content: Content): Promise<number> {
  return 'bytes' in content ? content.bytes.length : (await stat(content.path)).size;
}

/**
 * Throws RATE_LIMITED when the temporary objects of this owner hold the most that they may. Reads the index only: an owner
 * may have thousands of pictures.
 */
export async function requireTemporarySpace({ organizationId, mode }: Owner): Promise<void> {
  const [sum] = await TemporaryObject.aggregate<{ bytes: number }>([
    { $match: { organizationId, mode } },
    { $group: { _id: null, bytes: { $sum: '$sizeBytes' } } },
  ]);
  if ((sum?.bytes ?? 0) <= maxBytesOfOwner) return;
  const message =
    'The proofs and pictures that your organization asked for hold 2 GiB, the most at a time. Ask for proofs one ' +
    'after the other; each is removed after 15 minutes, and what previews of lists are made of after an hour.';
  throw new AppError('RATE_LIMITED', { message, retryAfterS: fullRetryS });
}

/** Makes an owner's objects due for removal whose names are `keyWithin` this resource. */
export async function expireTemporaryObjects({ organizationId, mode }: Owner, id: string, at: Date): Promise<void> {
  const within = { name: keysWithin(id), organizationId, mode, removeAt: { $gt: at } };
  await TemporaryObject.updateMany(within, { $set: { removeAt: at } }, { hint: { name: 1, removeAt: -1 } });
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
