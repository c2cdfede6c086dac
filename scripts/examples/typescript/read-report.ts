import { Bluejay } from 'bluejay-post';

const { BLUEJAY_API_KEY: apiKey = '', BLUEJAY_URL: baseUrl = '' } = process.env;
const bluejay = new Bluejay({ apiKey, baseUrl });

const { from, to, totals } = await bluejay.reports.spend({ interval: 'day' });
console.log(`${from} to ${to}: ${totals.spentCents} cents`);
