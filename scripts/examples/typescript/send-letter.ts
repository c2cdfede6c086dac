import { Bluejay } from 'bluejay-post';

const { BLUEJAY_API_KEY: apiKey = '', BLUEJAY_URL: baseUrl = '' } = process.env;
const bluejay = new Bluejay({ apiKey, baseUrl });

const ada = { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };
const letter = { zone: 'NATIONAL', serviceType: 'registered', pages: 1 } as const;

const { totalCents } = await bluejay.quotes.create(letter);
const mail = await bluejay.mails.sendFile('scripts/examples/letter.pdf', {
  ...letter,
  recipients: [ada],
  externalId: `order-${crypto.randomUUID()}`,
  maxTotalCents: totalCents,
});
console.log(`${mail.mailJobId} is ${mail.status}, for ${totalCents} cents`);

await bluejay.mails.simulate(mail.mailJobId, { to: 'delivered' });
console.log((await bluejay.mails.get(mail.mailJobId)).status);
