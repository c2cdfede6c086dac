import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { type Clock, systemClock } from '#common/clock.ts';
import { openDiskStorage } from './disk-storage.ts';
import { handleRequest, logFailure, type StoreContext } from './handle-request.ts';

export type ObjectStoreOptions = {
  /** The folder of the objects, created when missing. Only one process at a time may use it. */
  dir: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  /** 0 chooses a free port. */
  port: number;
  clock?: Clock;
};

export type RunningObjectStore = {
  url: string;
  /** Accepts no new requests, waits up to 5 s for those that run, then closes their connections. */
  close(): Promise<void>;
};

const closeWithinMs = 5_000;
/** In milliseconds. The time for a request is the lifetime of an upload URL. */
const limits = { headersTimeout: 10_000, requestTimeout: 600_000, keepAliveTimeout: 25_000 };
const idleTimeoutMs = 30_000;
/** Ten processes of the product: each opens up to 256 (`common/platform/s3`), and keeps them for some seconds. */
const maxConnections = 10 * 256;
/** Between two log lines about refused connections. */
const refusalLogMs = 10_000;

/** Starts an S3-compatible store of one bucket on a local folder. Rejects when the port or folder cannot be used. */
export async function startObjectStore(options: ObjectStoreOptions): Promise<RunningObjectStore> {
  const { dir, bucket, accessKeyId, secretAccessKey, region, port, clock = systemClock } = options;
  const credentials = { accessKeyId, secretAccessKey };
  const sha256 = Hash.bind(null, 'sha256');
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256, uriEscapePath: false });
  const context: StoreContext = { storage: await openDiskStorage(dir), bucket, signer, clock };
  const server = createServer({ ...limits, connectionsCheckingInterval: 1_000 });
  server.timeout = idleTimeoutMs;
  server.maxConnections = maxConnections;
  server.on('drop', logRefusals());
  server.on('request', (request, response) => handleRequest(context, request, response));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  server.on('error', (error) => logFailure(`The object store could not take a connection: ${error.message}`));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const cutOff = setTimeout(() => server.closeAllConnections(), closeWithinMs);
      await new Promise((resolve) => server.close(resolve).closeIdleConnections());
      clearTimeout(cutOff);
    },
  };
}

/** Without a line, a client that is refused would only see a broken connection. */
function logRefusals(): () => void {
  let loggedMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - loggedMs < refusalLogMs) return;
    loggedMs = performance.now();
    logFailure(
      `The object store refused a connection: ${maxConnections} are open. Start fewer processes, or use an S3 server.`,
    );
  };
}
