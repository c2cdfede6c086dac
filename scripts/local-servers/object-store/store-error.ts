/** All errors of the object store, with S3's codes. */
const storeErrors = {
  AccessDenied: { status: 403, message: 'Access Denied.' },
  IncompleteBody: { status: 400, message: 'Fewer bytes came than Content-Length announced.' },
  InsufficientStorage: { status: 507, message: 'The disk of this store is full.' },
  InternalError: { status: 500, message: 'The store failed; its own output says why.' },
  InvalidURI: { status: 400, message: 'The address cannot be read.' },
  MethodNotAllowed: { status: 405, message: 'This method is not allowed against this resource.' },
  MissingContentLength: { status: 411, message: 'An upload must announce its Content-Length.' },
  NoSuchBucket: { status: 404, message: 'There is no such bucket here.' },
  NoSuchKey: { status: 404, message: 'There is no such key.' },
  NotImplemented: { status: 501, message: 'This store does not know what the request asks for.' },
  PreconditionFailed: { status: 412, message: 'One of the preconditions did not hold.' },
  RequestTimeTooSkewed: { status: 403, message: 'The time of the request is over 15 minutes from the time here.' },
  SignatureDoesNotMatch: { status: 403, message: 'The signature does not fit the request: check key, headers, path.' },
} as const satisfies Record<string, { status: number; message: string }>;

type StoreErrorCode = keyof typeof storeErrors;

/** An error that is sent to the client. Any other thrown error becomes InternalError. */
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

  /** Returns the XML body of the answer. No message contains a character that XML would escape. */
  toXml(): string {
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${this.code}</Code><Message>${this.message}</Message></Error>`;
  }
}
