import type { BucketAccess } from './bucket-request.ts';
import { type ListedObject, listObjects } from './list-objects.ts';
import { ObjectChangedError, ObjectMissingError, StoreUnavailableError } from './object-store-errors.ts';
import { createGetSigner, createPutSigner, type GetToSign, type PresignedPut, type PutToSign } from './presign.ts';
import { type ReceivedBody, readBody, saveBody } from './receive-body.ts';
import { createStoreRequests, type StoreTimeouts } from './send-request.ts';
import { withFileToSend } from './with-file-to-send.ts';

/** `endpoint` is the store's URL for this process. */
export type ObjectStoreSettings = BucketAccess & {
  /** The store's URL for clients, the base of upload URLs. */
  publicEndpoint: string;
};

type ObjectFacts = {
  sizeBytes: number;
  contentType: string | null;
  /** As sent by the store, including the quotes. */
  etag: string;
};
type ObjectToGet = { key: string; ifMatch?: string; maxBytes: number };
type FileToObject = { key: string; path: string; contentType: string };

/** The S3 operations we use. All but the `presign…` functions and `close` throw StoreUnavailableError when the store is unavailable. */
export type ObjectStore = {
  /** Signs an upload locally, so it works while the store is unavailable. */
  presignPut(put: PutToSign): Promise<PresignedPut>;
  /** Signs a download locally. Returns its URL. */
  presignGet(get: GetToSign): Promise<string>;
  /** Returns null when the object does not exist. */
  head(key: string): Promise<ObjectFacts | null>;
  /**
   * Writes the object to a new file. Throws ObjectChangedError (its ETag is not `ifMatch`), ObjectMissingError or
   * ObjectTooLargeError, without a file.
   */
  getToFile(object: ObjectToGet & { path: string }): Promise<{ sizeBytes: number }>;
  /** Returns a small object, in memory. Throws like `getToFile`. */
  get(object: ObjectToGet): Promise<Buffer>;
  /** Stores a file, and replaces an existing object. Not retried. */
  putFile(file: FileToObject): Promise<{ etag: string; sizeBytes: number }>;
  /** Stores a small object, and replaces an existing one. */
  put(object: { key: string; bytes: Buffer; contentType: string }): Promise<void>;
  /** Deletes an object. A missing one counts as deleted. */
  delete(key: string): Promise<void>;
  /** Yields the objects whose keys begin with `prefix`, in the order of their keys. `pageSize`: keys of one request. */
  list(prefix: string, pageSize?: number): AsyncGenerator<ListedObject>;
  /** Throws when the bucket does not exist or access is denied. */
  check(): Promise<void>;
  ensureBucket(): Promise<void>;
  close(): void;
};

/** Returns whether the bucket exists and can be accessed. */
export async function isStoreThere(store: Pick<ObjectStore, 'check'>): Promise<boolean> {
  return await store.check().then(
    () => true,
    () => false,
  );
}

const defaultTimeouts: StoreTimeouts = { connectMs: 2_000, answerMs: 2_000, idleMs: 20_000, storedMs: 30_000 };
/** A slower transfer times out: 20 MiB may take 50 s in all. */
const minBytesPerS = 1024 * 1024;
/** Amazon creates buckets outside of this region only by a body that names the region. */
const defaultRegion = 'us-east-1';

/** Small bodies are sent unhashed too, like streams. */
const unhashed = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };

/** Creates the client. It connects on first use, so it can be created while the store is unavailable. */
export function createObjectStoreClient(
  settings: ObjectStoreSettings,
  changes: Partial<StoreTimeouts> = {},
): ObjectStore {
  const { publicEndpoint, ...access } = settings;
  const timeouts = { ...defaultTimeouts, ...changes };
  const { send, close } = createStoreRequests(access, timeouts);
  const transferMs = (sizeBytes: number) => timeouts.storedMs + Math.ceil(sizeBytes / minBytesPerS) * 1_000;

  async function requestObject({ key, ifMatch, maxBytes }: ObjectToGet): Promise<ReceivedBody> {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    const signal = AbortSignal.timeout(transferMs(maxBytes));
    const answer = await send('return an object', { method: 'GET', key, headers }, { signal }).catch((error) => {
      if (error.refusal?.status === 412) throw new ObjectChangedError(key);
      if (error.refusal?.code === 'NoSuchKey') throw new ObjectMissingError(key);
      throw error;
    });
    const { 'content-length': length } = answer.headers;
    return { body: answer.body, sizeBytes: length === undefined ? undefined : Number(length) };
  }

  return {
    presignPut: createPutSigner({ ...access, endpoint: publicEndpoint }),
    presignGet: createGetSigner({ ...access, endpoint: publicEndpoint }),
    list: (prefix, pageSize) => listObjects(send, prefix, pageSize),

    async head(key) {
      const answer = await send('look up an object', { method: 'HEAD', key }).catch(nullIf({ status: 404 }));
      if (!answer) return null;
      const { etag, 'content-type': contentType = null, 'content-length': length } = answer.headers;
      if (!etag || length === undefined) throw new StoreUnavailableError('describe an object', undefined);
      return { sizeBytes: Number(length), contentType, etag };
    },

    async getToFile({ path, ...object }) {
      return saveBody({ ...object, path, ...(await requestObject(object)) });
    },

    async get(object) {
      return readBody({ ...object, ...(await requestObject(object)) });
    },

    async put({ key, bytes, contentType }) {
      const about = { 'content-type': contentType, 'content-length': String(bytes.length) };
      const headers = { ...about, ...unhashed };
      const answerMs = transferMs(bytes.length);
      const signal = AbortSignal.timeout(2 * answerMs);
      await send('store an object', { method: 'PUT', key, headers, body: bytes }, { signal, answerMs });
    },

    putFile: ({ key, path, contentType }) =>
      withFileToSend(path, async ({ body, sizeBytes, whenUnreadable }) => {
        const headers = { 'content-type': contentType, 'content-length': String(sizeBytes) };
        const answerMs = transferMs(sizeBytes);
        const signal = AbortSignal.any([AbortSignal.timeout(answerMs), whenUnreadable]);
        const request = { method: 'PUT', key, headers, body } as const;
        const answer = await send('store a file', request, { signal, answerMs }).catch((error) => {
          whenUnreadable.throwIfAborted();
          throw error;
        });
        const { etag } = answer.headers;
        if (!etag) throw new StoreUnavailableError('return an ETag', undefined);
        return { etag, sizeBytes };
      }),

    async delete(key) {
      await send('delete an object', { method: 'DELETE', key }).catch(nullIf({ code: 'NoSuchKey' }));
    },

    async check() {
      await send('show its bucket', { method: 'HEAD' });
    },

    async ensureBucket() {
      if (await send('show its bucket', { method: 'HEAD' }).catch(nullIf({ status: 404 }))) return;
      const { region } = access;
      const constraint = `<LocationConstraint>${region}</LocationConstraint>`;
      const body = `<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${constraint}</CreateBucketConfiguration>`;
      const request = { method: 'PUT', ...(region !== defaultRegion && { body }) } as const;
      await send('create its bucket', request, { answerMs: timeouts.storedMs })
        // Another process may have created the bucket meanwhile.
        .catch(nullIf({ code: 'BucketAlreadyOwnedByYou' }));
    },

    close,
  };
}

/** Returns a handler that turns a refusal with this status or code into null, and throws every other error. */
function nullIf(expected: { status: number } | { code: string }): (error: StoreUnavailableError) => null {
  return (error) => {
    const { status, code } = error.refusal ?? {};
    if ('status' in expected ? status === expected.status : code === expected.code) return null;
    throw error;
  };
}
