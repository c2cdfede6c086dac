import { Bluejay } from 'bluejay-post';

const { BLUEJAY_API_KEY: apiKey = '', BLUEJAY_URL: baseUrl = '' } = process.env;
const bluejay = new Bluejay({ apiKey, baseUrl });

console.log(`${(await bluejay.wallet.get()).balanceCents} cents`);
for await (const { seq, kind, amountCents } of bluejay.wallet.transactions())
  console.log(`${seq} ${kind} ${amountCents}`);
