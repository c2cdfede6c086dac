/** Every refusal of the object store, in S3's words. */
const storeErrors = {
  AccessDenied: { status: 403, message: 'Access Denied.' },
  AuthorizationHeaderMalformed: { status: 400, message: 'The authorization header is malformed.' },
  AuthorizationQueryParametersError: { status: 400, message: 'The X-Amz-* query parameters are malformed.' },
  BadDigest: { status: 400, message: 'The Content-MD5 did not match what was received.' },
  EntityTooLarge: { status: 400, message: 'The upload is larger than this store takes.' },
  IncompleteBody: { status: 400, message: 'Fewer bytes came than Content-Length announced.' },
  InsufficientStorage: { status: 507, message: 'The disk of this store is full.' },
  InternalError: { status: 500, message: 'The store failed; its own output says why.' },
  InvalidAccessKeyId: { status: 403, message: 'The access key is not known here.' },
  InvalidRange: { status: 416, message: 'The requested range cannot be satisfied.' },
  InvalidURI: { status: 400, message: 'The address cannot be read.' },
  KeyTooLongError: { status: 400, message: 'The key is longer than 1,024 bytes.' },
  MethodNotAllowed: { status: 405, message: 'This method is not allowed against this resource.' },
  MissingContentLength: { status: 411, message: 'An upload must announce its Content-Length.' },
  NoSuchBucket: { status: 404, message: 'There is no such bucket here.' },
  NoSuchKey: { status: 404, message: 'There is no such key.' },
  NotImplemented: { status: 501, message: 'This store does not know what the request asks for.' },
  PreconditionFailed: { status: 412, message: 'One of the preconditions did not hold.' },
  RequestTimeTooSkewed: { status: 403, message: 'The time of the request is over 15 minutes from the time here.' },
  SignatureDoesNotMatch: { status: 403, message: 'The signature does not fit the request: check key, headers, path.' },
  XAmzContentSHA256Mismatch: { status: 400, message: 'The body does not have the announced SHA-256.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type StoreErrorCode = keyof typeof storeErrors;

/** A refusal that the caller is told about. Anything else that is thrown becomes InternalError. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string = storeErrors[code].message) {
    super(message);
    this.code = code;
  }

  get status(): number {
    return storeErrors[this.code].status;
  }

  /** The body on the wire. `resource` is the path that was asked for. */
  toXml(resource: string, requestId: string): string {
    const fields = { Code: this.code, Message: this.message, Resource: resource, RequestId: requestId };
    const inner = Object.entries(fields).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`);
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner.join('')}</Error>`;
  }
}

const xmlEscapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

function escapeXml(text: string): string {
  // XML 1.0 has no way to write most control characters at all.
  return text.replace(/[&<>"']/g, (char) => xmlEscapes[char] ?? char).replace(/[^\t\n\r\x20-\uFFFF]/g, '\uFFFD');
}
