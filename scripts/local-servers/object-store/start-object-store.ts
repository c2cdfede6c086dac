import { createServer } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { type Clock, systemClock } from '../../../common/clock.ts';
import { openDiskStorage } from './disk-storage.ts';
import { handleRequest, type StoreContext } from './handle-request.ts';

export type ObjectStoreOptions = {
  /** The folder of the objects; made when missing. One process at a time. */
  dir: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  region?: string;
  host?: string;
  /** 0 takes a free one. */
  port?: number;
  clock?: Clock;
  maxObjectBytes?: number;
  log?: (line: string) => void;
};

export type RunningObjectStore = {
  url: string;
  /** Takes nothing new, lets what runs finish for `graceMs`, then cuts it off. */
  close(graceMs?: number): Promise<void>;
};

/** What S3 takes in one PUT. */
const maxObjectBytesOfS3 = 5 * 1024 ** 3;
const maxConnections = 1_000;
const headersTimeoutMs = 10_000;
/** As long as an upload address lives. */
const requestTimeoutMs = 600_000;
const idleTimeoutMs = 30_000;
const keepAliveTimeoutMs = 5_000;

/** Starts an S3-compatible store of one bucket on a local folder. Rejects when the port or the folder cannot be had. */
export async function startObjectStore(options: ObjectStoreOptions): Promise<RunningObjectStore> {
  const { dir, bucket, accessKeyId, secretAccessKey, region = 'us-east-1', host = '127.0.0.1', port = 0 } = options;
  const context: StoreContext = {
    storage: await openDiskStorage(dir),
    bucket,
    credentials: { accessKeyId, secretAccessKey, region },
    clock: options.clock ?? systemClock,
    maxObjectBytes: options.maxObjectBytes ?? maxObjectBytesOfS3,
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
  // Not answered by itself, so that a refusal comes before the body is sent.
  server.on('checkContinue', (request, response) => handleRequest(context, request, response));
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
