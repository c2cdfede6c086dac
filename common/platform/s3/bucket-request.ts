import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { escapeUriPath, HttpRequest } from '@smithy/core/protocols';

export type BucketAccess = {
  /** Origin, with an optional path prefix. */
  endpoint: string;
  bucket: string;
  /** `false` puts the bucket before the host's name instead of into the path, unless the host is an IP address. */
  forcePathStyle?: boolean;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Of temporary credentials. */
  sessionToken?: string | undefined;
};

export type BucketRequest = {
  method: 'HEAD' | 'GET' | 'PUT' | 'DELETE';
  /** Without a key, the request is about the bucket. */
  key?: string;
  /** Names in lower case. */
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** A stream is sent unhashed. */
  body?: string | Buffer | Readable;
};

/** Returns a function that makes the unsigned HTTP requests of one bucket. */
export function createBucketRequests(access: BucketAccess): (request: BucketRequest) => HttpRequest {
  const { endpoint, bucket, forcePathStyle = true } = access;
  const url = new URL(endpoint);
  const isInPath = forcePathStyle || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
  if (!isInPath) url.hostname = `${bucket}.${url.hostname}`;
  const { protocol, hostname, host, port, pathname } = url;
  const bucketPath = `${pathname.replace(/\/+$/, '')}/${isInPath ? `${bucket}/` : ''}`;

  return ({ key = '', headers, ...request }) =>
    new HttpRequest({
      ...request,
      ...{ protocol, hostname, ...(port && { port: Number(port) }) },
      path: bucketPath + escapeUriPath(key),
      headers: { host, ...headers },
    });
}

/** Returns the region and the credentials as the SDK takes them. */
export function sdkAccess({ region, accessKeyId, secretAccessKey, sessionToken }: BucketAccess) {
  return { region, credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) } };
}
