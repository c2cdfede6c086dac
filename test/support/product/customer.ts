import { PDFDocument } from '@cantoo/pdf-lib';
import type { Scope } from '#common/access/scopes.ts';
import { Event } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Mode } from '#common/modes.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { LedgerEntry, type LedgerEntryRecord } from '#common/wallet/ledger/ledger-entry.model.ts';
import { walletIdOf } from '#common/wallet/ledger/move-money.ts';

export type Answer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of the tests check the bodies
  body: any;
};

export type Client = {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  request(method: string, path: string, init?: RequestInit): Promise<Answer>;
};

/** As `fetch`, which names the cause of a broken connection only in `cause`, where no test report shows it. */
export async function fetchAnswer(url: string, init: RequestInit = {}): Promise<Response> {
  return await fetch(url, init).catch((error: Error) => {
    const [address] = url.split('?');
    throw new Error(`${init.method ?? 'GET'} ${address} got no answer: ${String(error.cause ?? error)}`, {
      cause: error,
    });
  });
}

/** Creates an HTTP client of the product, with or without a key. */
export function createClient(url: string, key?: string): Client {
  async function request(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const headers = { ...authorization, ...init.headers };
    const response = await fetchAnswer(url + path, { ...init, method, headers });
    // An event stream never ends.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    const isCsv = response.headers.get('content-type')?.startsWith('text/csv');
    const body = text === '' ? undefined : isCsv ? text : JSON.parse(text);
    return { status: response.status, headers: response.headers, body };
  }
  const withBody = (body: unknown, headers: Record<string, string> = {}): RequestInit =>
    body === undefined
      ? { headers }
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };

  return {
    get: (path, headers = {}) => request('GET', path, { headers }),
    post: (path, body, headers) => request('POST', path, withBody(body, headers)),
    patch: (path, body) => request('PATCH', path, withBody(body)),
    delete: (path) => request('DELETE', path),
    request,
  };
}

/** An organization with a key and a client that uses it. */
export type Customer = {
  organizationId: string;
  mode: Mode;
  key: string;
  keyId: string;
  http: Client;
  balanceCents(): Promise<number>;
  /** Sends the default letter with these fields. Without `files` it uploads a blank page. */
  send(overrides?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a letter that must be accepted, and returns its id. */
  sendAccepted(overrides?: Record<string, unknown>): Promise<string>;
  /** Returns the secret that signs deliveries to a letter's own webhookUrl. */
  jobWebhookSecret(): Promise<string>;
};

/** By default a new organization in test mode, with all scopes and the balance of its wallet. */
export type CustomerOptions = {
  mode?: Mode;
  scopes?: readonly Scope[];
  organizationId?: string;
  balanceCents?: number;
};

export function aPostalAddress(overrides: Partial<PostalAddress> = {}): PostalAddress {
  return {
    name: 'Ada Peeters',
    line1: 'Rue Haute 1',
    line2: null,
    zip: '1000',
    city: 'Bruxelles',
    country: 'BE',
    ...overrides,
  };
}

/** Returns a PDF of blank A4 pages. */
export async function aPdf(pageCount = 1): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pageCount; page += 1) document.addPage([595.28, 841.89]);
  return Buffer.from(await document.save());
}

/** Uploads a file as a customer would, and returns its key. */
export async function upload(
  customer: { http: Client },
  bytes: Uint8Array,
  { filename = 'letter.pdf', mimeType = 'application/pdf' } = {},
): Promise<string> {
  const { status, body } = await customer.http.post('/v1/uploads', { filename, mimeType, sizeBytes: bytes.length });
  if (status !== 200) throw new Error(`POST /v1/uploads answered ${status}: ${JSON.stringify(body)}`);
  const put = await fetchAnswer(body.uploadUrl, { method: 'PUT', headers: body.headers, body: Buffer.from(bytes) });
  if (!put.ok) throw new Error(`The store answered ${put.status}: ${await put.text()}`);
  return body.s3Key;
}

/** Returns the body of POST /v1/mails for one page to one recipient. Uploads its file. */
export async function aLetter(
  customer: { http: Client },
  overrides: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const files = 'files' in overrides ? {} : { files: [{ s3Key: await upload(customer, await aPdf()) }] };
  return {
    zone: 'NATIONAL',
    serviceType: 'standard',
    pages: 1,
    recipients: [aRequestAddress()],
    ...files,
    ...overrides,
  };
}

/** A valid body of POST /v1/addresses without optional fields. */
export const bookEntry = {
  kind: 'SENDER',
  name: 'Müller & Zoë',
  line1: 'Chaussée de Liège 12',
  zip: '4000',
  city: 'Liège',
  country: 'BE',
};

const odd = [' ', 'a\nb', 'a\u0000b', '\ud800', 1, true, [], {}];
/** Accepted and refused values of each field of an entry, including its limits. */
export const bookEntryEdges: [field: string, good: unknown[], bad: unknown[]][] = [
  ['kind', ['SENDER', 'RECIPIENT'], ['sender', 'BOTH', '', null, 1]],
  ['name', ['a', 'é'.repeat(100), '\u{1f600}'.repeat(100)], ['', 'x'.repeat(101), null, ...odd]],
  ['line1', ['a', 'é'.repeat(100)], ['', 'x'.repeat(101), null, ...odd]],
  ['line2', ['a', 'é'.repeat(100), null], ['', 'x'.repeat(101), ...odd]],
  ['city', ['a', 'é'.repeat(80)], ['', 'x'.repeat(81), null, ...odd]],
  ['zip', ['1000', '9999'], ['', '0999', '10000', '100', '1000 AB', null, ...odd]],
  ['country', ['BE', ' BE '], ['', 'be', 'XX', 'BEL', 'Belgium', null, ...odd]],
  ['label', ['a', 'é'.repeat(100), null], ['', 'x'.repeat(101), ...odd]],
  ['isDefault', [true, false], ['true', 0, 1, {}]],
];

/** Stores an entry with these fields changed. */
export function addBookEntry({ http }: { http: Client }, fields: object = {}): Promise<Answer> {
  return http.post('/v1/addresses', { ...bookEntry, ...fields });
}

/** Returns an address of a request. */
export function aRequestAddress(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE', ...overrides };
}

/** Returns a valid body of POST /v1/mails without optional fields. */
export function aMailRequest(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    zone: 'NATIONAL',
    serviceType: 'standard',
    pages: 1,
    recipients: [aRequestAddress()],
    files: [{ s3Key: 'u/org_1/abc' }],
    ...overrides,
  };
}

/** A customer with one uploaded blank page to send any number of times. */
export type Sender = Customer & {
  s3Key: string;
  /** Returns a body of POST /v1/mails for that page. */
  letter(overrides?: Record<string, unknown>): Promise<Record<string, unknown>>;
};

/** The part of a world that creates customers. */
export type CustomerSource = { customer(options?: CustomerOptions): Promise<Customer> };

/** Creates a sender. Its single upload saves two requests per letter. */
export async function aSender(world: CustomerSource, options: CustomerOptions = {}): Promise<Sender> {
  const customer = await world.customer(options);
  const s3Key = await upload(customer, await aPdf());
  const letter = (overrides: Record<string, unknown> = {}) => aLetter(customer, { files: [{ s3Key }], ...overrides });
  const send = async (overrides = {}, headers: Record<string, string> = {}) =>
    customer.http.post('/v1/mails', await letter(overrides), headers);
  return { ...customer, s3Key, letter, send };
}

/** Returns all ledger entries of a customer, oldest first. */
export async function ledgerOf({ organizationId, mode }: Customer): Promise<LedgerEntryRecord[]> {
  const walletId = walletIdOf({ organizationId, mode });
  return await LedgerEntry.find({ walletId }).sort({ seq: 1 }).lean<LedgerEntryRecord[]>();
}

/** Returns the event kinds of a mail job in the order in which they happened. */
export async function eventKindsOf(mailJobId: string): Promise<string[]> {
  const events = await Event.find({ subjectId: mailJobId }).sort({ _id: 1 }).lean();
  return events.map(({ kind }) => kind);
}

/** Returns the paths of the issues of a 400, such as `recipients.0.zip`; the empty string is the body itself. */
export function issuePaths({ body }: Answer): string[] {
  return body.issues.map(({ path }: { path: (string | number)[] }) => path.join('.'));
}

/** Stores more letters like one: with a handful, MongoDB's planner considers all indexes equal. */
export async function storeCopies(mailJobId: string, count: number): Promise<void> {
  const { externalId: _, ...job } = await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();
  const copies = Array.from({ length: count }, () => ({ ...job, _id: newId('mj'), due: {} }));
  await rowsOf<MailJobRecord>(MailJob).insertMany(copies);
}
