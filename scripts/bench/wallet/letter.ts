/** The tariff of the benchmark. Every letter costs the same. */
export const benchTariff = {
  zone: 'NATIONAL',
  serviceType: 'standard',
  validFrom: '2020-01-01T00:00:00.000Z',
  vatPercent: { HANDLING: 21, PRINT: 21, COLOR: 21, POSTAGE: 0, REGISTERED: 0, ACKNOWLEDGMENT_RECEIPT: 21 },
  handlingCents: 40,
  pageCents: 8,
  colorPageCents: 12,
  registeredCents: 733,
  acknowledgmentReceiptCents: 164,
  envelopeGrams: 5,
  postage: [{ upToGrams: 2_000, cents: 163 }],
};

/** Returns the body of a POST /v1/mails: one page, one recipient, the organization as the sender, no externalId. */
export function letterBody(s3Key: string): string {
  const recipient = { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };
  const letter = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };
  return JSON.stringify({ ...letter, recipients: [recipient], files: [{ s3Key }] });
}
