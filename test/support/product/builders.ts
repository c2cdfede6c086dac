import { PDFDocument } from '@cantoo/pdf-lib';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import type { TariffRecord } from '#common/pricing/tariff.model.ts';
import { type LineCode, lineCodes, serviceTypes, type TariffEntry, zones } from '#common/pricing/tariff.schema.ts';
import type { Answer, Client } from './client.ts';

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

const noVat = { HANDLING: 21, PRINT: 21, COLOR: 21, POSTAGE: 0, REGISTERED: 0, ACKNOWLEDGMENT_RECEIPT: 21 };

/** One tariff per zone and service, all with the same prices, valid since 2020. */
export const exampleTariffs = zones.flatMap((zone) =>
  serviceTypes.map((serviceType) => ({
    zone,
    serviceType,
    validFrom: '2020-01-01T00:00:00.000Z',
    vatPercent: noVat,
    handlingCents: 40,
    pageCents: 8,
    colorPageCents: 12,
    registeredCents: 733,
    acknowledgmentReceiptCents: 164,
    envelopeGrams: 5,
    postage: [
      { upToGrams: 50, cents: 163 },
      { upToGrams: 100, cents: 326 },
      { upToGrams: 350, cents: 489 },
      { upToGrams: 2_000, cents: 652 },
    ],
  })),
);

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
  const put = await fetch(body.uploadUrl, { method: 'PUT', headers: body.headers, body: Buffer.from(bytes) });
  if (!put.ok) throw new Error(`The store answered ${put.status}: ${await put.text()}`);
  return body.s3Key;
}

/** Returns the body of POST /v1/mails for one page to one recipient. Uploads its file. */
export async function aLetter(
  customer: { http: Client },
  overrides: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const files = 'files' in overrides ? {} : { files: [{ s3Key: await upload(customer, await aPdf()) }] };
  return { zone: 'NATIONAL', serviceType: 'standard', pages: 1, recipients: [aRequestAddress()], ...files, ...overrides };
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

/** Returns the same VAT percentage for every component. */
export function sameVat(percent: number): Record<LineCode, number> {
  return Object.fromEntries(lineCodes.map((code) => [code, percent])) as Record<LineCode, number>;
}

/** Returns a valid tariff entry in the import format. */
export function aTariffEntry(overrides: Partial<TariffEntry> = {}): TariffEntry {
  return {
    zone: 'NATIONAL',
    serviceType: 'standard',
    validFrom: '2026-01-01T00:00:00+01:00',
    vatPercent: sameVat(21),
    handlingCents: 40,
    pageCents: 26,
    colorPageCents: 30,
    registeredCents: 700,
    acknowledgmentReceiptCents: 150,
    envelopeGrams: 5,
    postage: [
      { upToGrams: 50, cents: 123 },
      { upToGrams: 100, cents: 246 },
      { upToGrams: 350, cents: 369 },
      { upToGrams: 2_000, cents: 492 },
    ],
    ...overrides,
  };
}

/** Returns the same tariff as stored in the database. */
export function aTariff(overrides: Partial<TariffEntry> = {}): TariffRecord {
  const { validFrom, ...entry } = aTariffEntry(overrides);
  return { _id: 'tar_sample', ...entry, validFrom: new Date(validFrom) };
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
