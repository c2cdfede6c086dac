import { setTimeout as wait } from 'node:timers/promises';
import { Bluejay } from 'bluejay-post';

const { BLUEJAY_API_KEY: apiKey = '', BLUEJAY_URL: baseUrl = '' } = process.env;
const bluejay = new Bluejay({ apiKey, baseUrl });

const s3Key = await bluejay.uploads.file('scripts/examples/letter.pdf');
let check = await bluejay.preflights.create({ files: [{ s3Key }] });
while (check.status === 'running') {
  await wait(1_000);
  check = await bluejay.preflights.get(check.preflightId);
}
console.log(check.canBePrinted ? 'It can be printed.' : 'It cannot be printed.');
for (const { severity, code, message } of check.findings ?? []) console.log(`${severity} ${code}: ${message}`);
