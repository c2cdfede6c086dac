import type { IncomingHttpHeaders } from 'node:http';
import { signatureAlgorithm, unsignedPayload } from '../../../common/platform/aws-signature.ts';
import { StoreError, type StoreErrorCode } from './store-error.ts';

/** What a request says of its own signature; nothing of it is verified yet. */
export type Authorization = {
  accessKeyId: string;
  /** `yyyymmdd`, of the credential. */
  date: string;
  region: string;
  signedHeaders: string[];
  signature: string;
  /** `yyyymmddThhmmssZ`. */
  timestamp: string;
  /** How long a presigned address lives; null for signed headers. */
  expiresInS: number | null;
  /** Hexadecimal SHA-256 of the body, or UNSIGNED-PAYLOAD. */
  payloadHash: string;
};

const maxExpiresInS = 604_800;

/** Reads either form of Signature Version 4. Throws AccessDenied when there is none, or a complaint about its form. */
export function readAuthorization(query: readonly (readonly [string, string])[], headers: IncomingHttpHeaders) {
  if (query.some(([name]) => name.toLowerCase() === 'x-amz-signature')) return fromQuery(query, headers);
  if (headers.authorization) return fromHeaders(headers.authorization, headers);
  throw new StoreError('AccessDenied');
}

function fromQuery(query: readonly (readonly [string, string])[], headers: IncomingHttpHeaders): Authorization {
  const fields = new Map(query);
  const complaint = 'AuthorizationQueryParametersError';
  // The second of two fields of one name would be signed, the first perhaps believed.
  if (fields.size !== query.length) throw new StoreError(complaint);
  if (fields.get('X-Amz-Algorithm') !== signatureAlgorithm) throw new StoreError(complaint);
  const expiresInS = Number(fields.get('X-Amz-Expires'));
  if (!Number.isInteger(expiresInS) || expiresInS < 1 || expiresInS > maxExpiresInS) throw new StoreError(complaint);

  return {
    ...readFields(complaint, {
      credential: fields.get('X-Amz-Credential'),
      signedHeaders: fields.get('X-Amz-SignedHeaders'),
      signature: fields.get('X-Amz-Signature'),
      timestamp: fields.get('X-Amz-Date'),
    }),
    expiresInS,
    payloadHash: readPayloadHash(
      fields.get('X-Amz-Content-Sha256') ?? headers['x-amz-content-sha256'] ?? unsignedPayload,
    ),
  };
}

function fromHeaders(authorization: string, headers: IncomingHttpHeaders): Authorization {
  const complaint = 'AuthorizationHeaderMalformed';
  const [, algorithm, rest] = /^(\S+) +(.*)$/.exec(authorization) ?? [];
  if (algorithm !== signatureAlgorithm || !rest) throw new StoreError(complaint);
  const fields = new Map(rest.split(',').map((field) => field.trim().split('=', 2) as [string, string]));

  return {
    ...readFields(complaint, {
      credential: fields.get('Credential'),
      signedHeaders: fields.get('SignedHeaders'),
      signature: fields.get('Signature'),
      timestamp: headers['x-amz-date'],
    }),
    expiresInS: null,
    payloadHash: readPayloadHash(headers['x-amz-content-sha256']),
  };
}

type RawFields = Record<'credential' | 'signedHeaders' | 'signature' | 'timestamp', string | string[] | undefined>;

function readFields(complaint: StoreErrorCode, { credential, signedHeaders, signature, timestamp }: RawFields) {
  const scope = /^([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request$/.exec(String(credential));
  const [, accessKeyId, date, region] = scope ?? [];
  if (!accessKeyId || !date || !region) throw new StoreError(complaint);
  if (!signedHeaders || !/^[0-9a-f]{64}$/.test(String(signature))) throw new StoreError(complaint);
  if (!/^\d{8}T\d{6}Z$/.test(String(timestamp)) || !String(timestamp).startsWith(date)) throw new StoreError(complaint);

  const names = String(signedHeaders).split(';');
  return {
    accessKeyId,
    date,
    region,
    signedHeaders: names,
    signature: String(signature),
    timestamp: String(timestamp),
  };
}

function readPayloadHash(hash: string | string[] | undefined): string {
  const text = String(hash);
  if (text === unsignedPayload || /^[0-9a-f]{64}$/.test(text)) return text;
  // A body cut into signed pieces would be stored with the signatures in it.
  if (text.startsWith('STREAMING-')) throw new StoreError('NotImplemented', 'Bodies signed in chunks are not taken.');
  throw new StoreError('AccessDenied', 'x-amz-content-sha256 must be a SHA-256 or UNSIGNED-PAYLOAD.');
}
