import { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createObjectHead } from './head-object.ts';
import {
  answerCause,
  httpStatusOf,
  ObjectChangedError,
  ObjectMissingError,
  StoreUnavailableError,
} from './object-store-errors.ts';
import { createPutSigner, type PresignedPut, type PutToSign } from './presign-put.ts';
import { saveBody } from './save-body.ts';
import { withFileToSend } from './with-file-to-send.ts';

export type ObjectStoreSettings = {
  /** Where this process reaches the store. */
  endpoint: string;
  /** Where clients reach it: the host of upload addresses. */
  publicEndpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

type ObjectFacts = {
  sizeBytes: number;
  contentType: string | null /** As the store writes it, quotes and all. */;
  etag: string;
};
type ObjectToFile = { key: string; path: string; ifMatch: string; maxBytes: number };
type FileToObject = { key: string; path: string; contentType: string };

/** What the product asks of an S3 store. All but `presignPut` and `close` throw StoreUnavailableError when it is away. */
export type ObjectStore = {
  /** Signs an upload without asking the store, so it works while the store is away. */
  presignPut(put: PutToSign): PresignedPut;
  /** null when there is no such object. */
  head(key: string): Promise<ObjectFacts | null>;
  /** Writes the object to a new file, or leaves none and throws ObjectChangedError, ObjectMissingError or ObjectTooLargeError. */
  getToFile(object: ObjectToFile): Promise<{ sizeBytes: number }>;
  /** Stores a file, over what was there; not repeated by itself. */
  putFile(file: FileToObject): Promise<{ etag: string; sizeBytes: number }>;
  /** A missing object counts as deleted. */
  delete(key: string): Promise<void>;
  /** Is the bucket there and are we let in? Throws when not. */
  check(): Promise<void>;
  ensureBucket(): Promise<void>;
  close(): void;
};

export type StoreTimeouts = {
  connectMs: number;
  /** To the head of an answer, an attempt; there are two attempts. */
  answerMs: number;
  /** Without a byte in either direction. A stuck sender is noticed after twice this, as Node counts. */
  idleMs: number;
  /** To the answer of an upload, beside the time for its bytes: the store syncs to disk before it answers. */
  storedMs: number;
};

const defaultTimeouts: StoreTimeouts = { connectMs: 2_000, answerMs: 2_000, idleMs: 20_000, storedMs: 30_000 };
/** A store slower than this is as good as away; 20 MiB get 50 s in all. */
const slowestBytesPerS = 1024 * 1024;
/** As many as the API has sends in flight: a HEAD must not wait for another's socket. */
const maxSockets = 256;

/** Connects when it is first asked, so it can be made while the store is away. */
export function createObjectStoreClient(
  settings: ObjectStoreSettings,
  changes: Partial<StoreTimeouts> = {},
): ObjectStore {
  const { bucket: Bucket } = settings;
  const timeouts = { ...defaultTimeouts, ...changes };
  const client = createS3Client(settings, timeouts);
  const objectHead = createObjectHead({ ...settings, ...timeouts, maxSockets });
  const transferMs = (sizeBytes: number) => timeouts.storedMs + Math.ceil(sizeBytes / slowestBytesPerS) * 1_000;

  return {
    presignPut: createPutSigner({ ...settings, endpoint: settings.publicEndpoint }),

    async head(key) {
      const { status, headers } = await objectHead.ask(key);
      if (status === 404) return null;
      const { etag, 'content-type': contentType = null, 'content-length': length } = headers;
      if (status !== 200 || !etag || length === undefined)
        return unavailable('describe an object', answerCause(status));
      return { sizeBytes: Number(length), contentType, etag };
    },

    async getToFile({ key, path, ifMatch, maxBytes }) {
      const abortSignal = AbortSignal.timeout(transferMs(maxBytes));
      const answer = await client
        .send(new GetObjectCommand({ Bucket, Key: key, IfMatch: ifMatch }), { abortSignal })
        .catch((error) => {
          if (httpStatusOf(error) === 412) throw new ObjectChangedError(key);
          if (error?.name === 'NoSuchKey') throw new ObjectMissingError(key);
          return unavailable('hand an object out', error);
        });
      const { Body: body, ContentLength: sizeBytes } = answer;
      if (!(body instanceof Readable)) return unavailable('hand an object out', undefined);
      return saveBody({ key, path, maxBytes, body, sizeBytes });
    },

    putFile: ({ key, path, contentType }) =>
      withFileToSend(path, async ({ body, sizeBytes, whenUnreadable }) => {
        const abortSignal = AbortSignal.any([AbortSignal.timeout(transferMs(sizeBytes)), whenUnreadable]);
        const command = new PutObjectCommand({
          Bucket,
          Key: key,
          Body: body,
          ContentLength: sizeBytes,
          ContentType: contentType,
        });
        const requestTimeout = transferMs(sizeBytes);
        const stored = await client.send(command, { abortSignal, requestTimeout }).catch((error) => {
          whenUnreadable.throwIfAborted();
          return unavailable('take a file', error);
        });
        return { etag: stored.ETag ?? unavailable('name what it stored', undefined), sizeBytes };
      }),

    async delete(key) {
      await client
        .send(new DeleteObjectCommand({ Bucket, Key: key }))
        .catch((error) => (error?.name === 'NoSuchKey' ? null : unavailable('delete an object', error)));
    },

    async check() {
      await client.send(new HeadBucketCommand({ Bucket })).catch((error) => unavailable('show its bucket', error));
    },

    ensureBucket: () => ensureBucket(client, Bucket, timeouts),

    close() {
      client.destroy();
      objectHead.close();
    },
  };
}

function createS3Client(
  { endpoint, region, accessKeyId, secretAccessKey }: ObjectStoreSettings,
  { connectMs, answerMs, idleMs }: StoreTimeouts,
): S3Client {
  const ignore = () => undefined;
  // What matters is thrown; the rest would stand on the console, between our log lines.
  const logger = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // Else a checksum of our own choosing rides along, and stores other than Amazon's refuse it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    logger,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      // Without this flag a late answer is only a warning on the console.
      throwOnRequestTimeout: true,
      socketTimeout: idleMs,
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets },
      logger,
    },
  });
}

async function ensureBucket(client: S3Client, Bucket: string, { storedMs }: StoreTimeouts): Promise<void> {
  const isThere = await client.send(new HeadBucketCommand({ Bucket })).then(
    () => true,
    (error) => (httpStatusOf(error) === 404 ? false : unavailable('show its bucket', error)),
  );
  if (isThere) return;
  await client
    .send(new CreateBucketCommand({ Bucket }), { requestTimeout: storedMs })
    // Two processes may start at once; the slower one finds the bucket made.
    .catch((error) => (error?.name === 'BucketAlreadyOwnedByYou' ? null : unavailable('make its bucket', error)));
}

function unavailable(action: string, cause: unknown): never {
  throw new StoreUnavailableError(action, cause);
}
