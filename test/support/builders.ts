import { PDFDocument } from '@cantoo/pdf-lib';
import type { PostalAddress } from '../../common/organizations/organization.model.ts';
import { serviceTypes, zones } from '../../common/pricing/tariff.schema.ts';
import type { Customer } from './customer.ts';

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

/** One tariff for each zone and service, the same prices in all; valid since long ago. */
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

/** A PDF of blank A4 pages. */
export async function aPdf(pageCount = 1): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pageCount; page += 1) document.addPage([595.28, 841.89]);
  return Buffer.from(await document.save());
}

/** Uploads a file as a customer would, and returns its key. */
export async function upload(
  customer: Pick<Customer, 'http'>,
  bytes: Uint8Array,
  { filename = 'letter.pdf', mimeType = 'application/pdf' } = {},
): Promise<string> {
  const { status, body } = await customer.http.post('/v1/uploads', { filename, mimeType, sizeBytes: bytes.length });
  if (status !== 200) throw new Error(`POST /v1/uploads answered ${status}: ${JSON.stringify(body)}`);
  const put = await fetch(body.uploadUrl, { method: 'PUT', headers: body.headers, body: Buffer.from(bytes) });
  if (!put.ok) throw new Error(`The store answered ${put.status}: ${await put.text()}`);
  return body.s3Key;
}

/** The body of POST /v1/mails for one page to one recipient, with a file that is in the store. */
export async function aLetter(
  customer: Pick<Customer, 'http'>,
  overrides: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const files = 'files' in overrides ? {} : { files: [{ s3Key: await upload(customer, await aPdf()) }] };
  const { line2: _, ...recipient } = aPostalAddress();
  return { zone: 'NATIONAL', serviceType: 'standard', pages: 1, recipients: [recipient], ...files, ...overrides };
}
