import { Bluejay } from 'bluejay-post';

const { BLUEJAY_API_KEY: apiKey = '', BLUEJAY_URL: baseUrl = '' } = process.env;
const bluejay = new Bluejay({ apiKey, baseUrl });

const text = '# Your invoice ((invoice))\n\nDear ((name)),\n\nPlease pay **((amount)) EUR** within 14 days.';
const { templateId } = await bluejay.templates.create({ name: 'Payment reminder', language: 'en', text });

const mail = await bluejay.mails.create({
  zone: 'NATIONAL',
  serviceType: 'standard',
  templateId,
  mergeVariables: { invoice: '2026-0012', name: 'Ada Peeters', amount: '120.00' },
  recipients: [{ name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' }],
  externalId: `reminder-${crypto.randomUUID()}`,
});
console.log(`${mail.mailJobId} is ${mail.status}, ${mail.pages} page`);
