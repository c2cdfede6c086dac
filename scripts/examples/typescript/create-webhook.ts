import { Bluejay } from 'bluejay-post';

const { BLUEJAY_API_KEY: apiKey = '', BLUEJAY_URL: baseUrl = '' } = process.env;
const bluejay = new Bluejay({ apiKey, baseUrl });

const { id, secret } = await bluejay.webhooks.create({
  url: 'http://127.0.0.1:4000/bluejay',
  events: ['MAIL_POSTED', 'MAIL_FAILED'],
});
// Only this answer contains the secret. Keep it for the receiver.
console.log(`${id} ${secret}`);
