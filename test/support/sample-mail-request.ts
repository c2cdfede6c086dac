/** An address as a client writes it, in a request. */
export function aRequestAddress(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE', ...overrides };
}

/** The body of POST /v1/mails, without a fault and with nothing that is optional. */
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
