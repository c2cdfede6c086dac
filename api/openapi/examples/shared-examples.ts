// All examples of the documentation describe one registered letter of three pages, with its sender, file and cost.

export const mailJobId = 'mj_01m7ynaxr5fqa9hh2hay4xy8yc';
export const externalId = 'invoice-2026-0042';
export const createdAt = '2026-03-02T09:30:00.000Z';

export const organizationId = 'org_01m7ynaxr6fqa9hh2v9m3r0c5t';
export const itemId = 'mi_01m7ynaxr6fqa9hh3cq0zdb2vk';
export const mailJobPath = { id: mailJobId };

export const recipient = { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };
/** The API key of the examples. */
export const byKey = { createdBy: { kind: 'api_key' as const, id: 'testb2xqf4tmzd5kc7rs' } };

export const temporaryUrl = (filename: string) =>
  `https://files.example.com/bluejay/t/5f0c2f3e-1b77-4c1a-9d5e-2f4f6f0c9a51/${filename}?X-Amz-Expires=300&X-Amz-Signature=9c8b7a`;
export const expiresAt = '2026-03-02T09:36:00.000Z';
