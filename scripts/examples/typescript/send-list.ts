import { setTimeout as wait } from 'node:timers/promises';
import { Bluejay } from 'bluejay-post';

const { BLUEJAY_API_KEY: apiKey = '', BLUEJAY_URL: baseUrl = '' } = process.env;
const bluejay = new Bluejay({ apiKey, baseUrl });

const list = new Blob(
  ['Name;Street;Postcode;City\nAda Peeters;Rue Haute 1;1000;Bruxelles\nJan Jans;Kerkstraat 2;9000;Gent\n'],
  { type: 'text/csv' },
);
const upload = await bluejay.bulk.createUpload({ filename: 'members.csv', mimeType: 'text/csv', sizeBytes: list.size });
const put = await fetch(upload.uploadUrl, { method: 'PUT', headers: upload.headers, body: list });
if (!put.ok) throw new Error(`The store answered ${put.status}: ${await put.text()}`);

const s3Key = await bluejay.uploads.file('scripts/examples/letter.pdf');
const file = { s3Key: upload.s3Key };
const { bulkId } = await bluejay.bulk.create({ file, files: [{ s3Key }], serviceType: 'standard' });

async function waitFor(status: string) {
  for (;;) {
    const bulk = await bluejay.bulk.get(bulkId);
    if (bulk.status === status) return bulk;
    if (!['validating', 'sending'].includes(bulk.status)) throw new Error(`The bulk is ${bulk.status}.`);
    await wait(1_000);
  }
}
const { rows } = await waitFor('ready');
console.log(`${rows.valid} of ${rows.total} rows are valid`);
await bluejay.bulk.confirm(bulkId, { maxTotalCents: 1_000 });
console.log(`${(await waitFor('sent')).progress.sent} letters`);
