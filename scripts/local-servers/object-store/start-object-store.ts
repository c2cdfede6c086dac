import { createServer } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { type Clock, systemClock } from '#common/clock.ts';
import { openDiskStorage } from './disk-storage.ts';
import { handleRequest, type StoreContext } from './handle-request.ts';

export type ObjectStoreOptions = {
  /** The folder of the objects, created when missing. Only one process at a time may use it. */
  dir: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  region?: string;
  host?: string;
  /** 0 chooses a free port. */
  port?: number;
  clock?: Clock;
  log?: (line: string) => void;
};

export type RunningObjectStore = {
  url: string;
  /** Accepts no new requests, waits up to `graceMs` for those that run, then closes their connections. */
  close(graceMs?: number): Promise<void>;
};

const maxConnections = 1_000;
const headersTimeoutMs = 10_000;
/** The lifetime of an upload URL. */
const requestTimeoutMs = 600_000;
const idleTimeoutMs = 30_000;
const keepAliveTimeoutMs = 5_000;

/** Starts an S3-compatible store of one bucket on a local folder. Rejects when the port or folder cannot be used. */
export async function startObjectStore(options: ObjectStoreOptions): Promise<RunningObjectStore> {
  const { dir, bucket, accessKeyId, secretAccessKey, region = 'us-east-1', host = '127.0.0.1', port = 0 } = options;
  const context: StoreContext = {
    storage: await openDiskStorage(dir),
    bucket,
    signer: new SignatureV4({
      service: 's3',
      region,
      credentials: { accessKeyId, secretAccessKey },
      sha256: Hash.bind(null, 'sha256'),
      uriEscapePath: false,
    }),
    clock: options.clock ?? systemClock,
    log: options.log ?? ((line) => process.stderr.write(`${line}\n`)),
  };
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: 1_000,
  });
  server.timeout = idleTimeoutMs;
  server.maxConnections = maxConnections;
  server.on('request', (request, response) => handleRequest(context, request, response));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  server.on('error', (error) => context.log(`The object store could not take a connection: ${error.message}`));
  const address = server.address() as AddressInfo;

  return {
    url: `http://${isIPv6(address.address) ? `[${address.address}]` : address.address}:${address.port}`,
    close: (graceMs = 5_000) =>
      new Promise((resolve) => {
        const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(cutOff);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
