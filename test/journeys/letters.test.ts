// Level: ci
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { photoJpegPath, pngOfSize } from '../support/documents/build-images.ts';
import { lockedPdf } from '../support/documents/build-pdf.ts';
import { inflateBomb, recursivePageTree } from '../support/documents/hostile-pdfs.ts';
import { afterEach, describe, eventually, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, type Program, startNode, startProgram } from '../support/processes/process-control.ts';
import { aPdf, type Customer, upload } from '../support/product/customer.ts';
import { writeDemoFile } from '../support/product/service-process.ts';
import { startWorld } from '../support/product/world.ts';
import { isSignedBy, openReceiver, startReceiver } from '../support/webhooks/receiver.ts';

const root = join(import.meta.dirname, '../..');
const isCurlHere = spawnSync('curl', ['--version']).status === 0;
const script = `
  import { sendDemoLetter } from './scripts/demo-letter.ts';
  await sendDemoLetter(process.env).catch((error) => { console.error(error.message); process.exit(1); });`;

type Make = () => Promise<Uint8Array> | Uint8Array;
const badFiles: [what: string, code: string, make: Make, mimeType?: string][] = [
  ['an HTML file named .pdf', 'FILE_TYPE_MISMATCH', () => Buffer.from('<!doctype html><p>Hi')],
  ['an encrypted PDF', 'FILE_UNREADABLE', () => lockedPdf({ userPassword: 'a', ownerPassword: 'b' })],
  ['a truncated JPEG', 'FILE_UNREADABLE', () => readFileSync(photoJpegPath).subarray(0, 20_000), 'image/jpeg'],
  ['a PNG header of 60,000 x 60,000', 'FILE_UNREADABLE', () => pngOfSize(60_000, 60_000), 'image/png'],
  ['a PDF with an endless page tree', 'FILE_UNREADABLE', () => recursivePageTree(1)],
  ['a decompression bomb', 'FILE_UNREADABLE', () => inflateBomb(10_240, true)],
];

const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });

describe('a first letter', () => {
  const receiver = startReceiver();

  test('a registered letter is printed, posted and delivered, with a signed webhook per step', async () => {
    const customer = await world.customer();
    const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED'];
    const webhook = await customer.http.post('/v1/webhooks', { url: receiver.url, events });
    expect(webhook.status).toBe(201);
    const s3Key = await upload(customer, await aPdf(2));
    const before = await customer.balanceCents();
    const letter = { serviceType: 'registered', pages: 2, files: [{ s3Key }], externalId: 'first' };
    const sent = await customer.send(letter);
    expect(sent).toMatchObject({ status: 201, body: { status: 'queued', externalId: 'first', duplicate: false } });
    const { mailJobId, totalCents } = sent.body;
    expect(await customer.balanceCents()).toBe(before - totalCents);
    await eventually(() => expect(receiver.received).toHaveLength(4));
    expect(receiver.received.map(({ body }) => body.event)).toEqual(events);
    for (const delivery of receiver.received) {
      expect(isSignedBy(webhook.body.secret, delivery)).toBe(true);
      expect(delivery.body).toMatchObject({ mailJobId, externalId: 'first' });
    }
    const read = await customer.http.get(`/v1/mails/${mailJobId}`);
    expect(read.body).toMatchObject({ status: 'delivered', failure: null, refundedCents: 0, counts: { delivered: 1 } });
  });
});

describe('the demonstration letter', () => {
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  /** Sends it to the service of this test from a separate process. */
  async function sendDemoLetter(dataDir: string, customer: Customer): Promise<Program> {
    const { organizationId, key } = customer;
    await writeDemoFile(dataDir, { BLUEJAY_URL: world.url, BLUEJAY_ORG: organizationId, BLUEJAY_TEST_KEY: key });
    const environment = {
      ...process.env,
      PORT: new URL(world.url).port,
      DATA_DIR: dataDir,
      ENCRYPTION_KEYS: world.config.encryptionKeys.join(','),
      SANDBOX_STEP_DELAY_S: '1',
    };
    return startNode(['--input-type=module', '-e', script], { environment, cwd: root });
  }

  test('each step is printed, and the printed curl commands work', async () => {
    const customer = await world.customer();
    const dataDir = await makeFolder();
    const program = await sendDemoLetter(dataDir, customer);
    expect([await program.ended, program.output()]).toEqual([0, expect.any(String)]);

    const told = [...program.standardOutput().matchAll(/^✓ (.*?) {2,}([\d.]+) s(?: {2}(.*))?$/gm)];
    const webhooks = told.filter(([, what]) => what?.startsWith('Webhook MAIL_'));
    const others = told.filter((line) => !webhooks.includes(line));
    expect(others.map(([, what]) => what)).toEqual([
      'Quote',
      'Webhook registered',
      ...['Uploaded letter.pdf', 'Uploaded photo.jpg', 'Uploaded photo.heic'],
      'Mail sent',
      ...['Printed', 'Posted', 'Delivered'],
      ...['Balance', 'Proof'],
    ]);
    expect(webhooks.map(([, what, , detail]) => [what, detail])).toEqual(
      ['QUEUED', 'PRINTED', 'POSTED', 'DELIVERED'].map((event) => [`Webhook MAIL_${event}`, 'signature verified']),
    );
    // Each webhook follows its status. It may follow the next status too, a step of 1 s later.
    for (const [n, step] of ['Mail sent', 'Printed', 'Posted', 'Delivered'].entries()) {
      expect(told.indexOf(webhooks[n]!)).toBeGreaterThan(told.findIndex(([, what]) => what === step));
    }
    const [job] = (await customer.http.get('/v1/mails')).body.data;
    expect(job).toMatchObject({ status: 'delivered', serviceType: 'registered', pages: 4 });
    expect(await customer.balanceCents()).toBe(100_000 - job.totalCents);
    expect((await customer.http.get('/v1/webhooks')).body.data).toEqual([]);
    const printed = await PDFDocument.load(await readFile(join(dataDir, 'demo-letter.pdf')));
    expect(printed.getPageCount()).toBe(4);

    // The printed commands need curl, which slim containers lack.
    if (!isCurlHere) return;
    await runCurlLines(program.standardOutput());
    expect((await customer.http.get('/v1/mails')).body.data).toHaveLength(2);
  });

  /** Runs the printed commands in a shell that stops at the first failure. */
  async function runCurlLines(output: string): Promise<void> {
    const lines = output.slice(output.indexOf('\n', output.indexOf('Do the same by hand')));
    const shell = startProgram('sh', ['-euc', lines.replaceAll('curl -sS', 'curl -sS --fail')], { cwd: root });
    expect([await shell.ended, shell.output()]).toEqual([0, expect.stringContaining('"status":"queued"')]);
  }

  test('with an empty wallet it names the failed step and leaves no webhook behind', async () => {
    const poor = await world.customer({ balanceCents: 5 });
    const program = await sendDemoLetter(await makeFolder(), poor);
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain('Mail: POST /v1/mails answered 402 INSUFFICIENT_FUNDS');
    expect((await poor.http.get('/v1/webhooks')).body.data).toEqual([]);
  });
});

describe('letters with bad files', () => {
  test('each bad file fails with its code and a refund, and a good letter beside them is printed', async () => {
    const customer = await world.customer();
    const before = await customer.balanceCents();
    const receiver = await openReceiver();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_FAILED', 'MAIL_PRINTED'] });
    const good = await upload(customer, await aPdf());
    const told = (mailJobId: string) => receiver.received.filter(({ body }) => body.mailJobId === mailJobId);
    const keys = await Promise.all(
      badFiles.map(async ([, , make, mimeType = 'application/pdf']) => upload(customer, await make(), { mimeType })),
    );
    const jobs: string[] = [];
    for (const s3Key of keys) jobs.push(await customer.sendAccepted({ files: [{ s3Key }] }));
    const { body: letter } = await customer.send({ files: [{ s3Key: good }] });
    await eventually(() => expect(receiver.received).toHaveLength(badFiles.length + 1));
    expect(told(letter.mailJobId).map(({ body: { event } }) => event)).toEqual(['MAIL_PRINTED']);
    for (const [index, [what, code]] of badFiles.entries()) {
      const mailJobId = jobs[index] ?? '';
      const { body } = await customer.http.get(`/v1/mails/${mailJobId}`);
      const { status, failure, refundedCents, totalCents } = body;
      expect({ what, status, code: failure?.code, refundedCents }).toEqual({
        what,
        status: 'failed',
        code,
        refundedCents: totalCents,
      });
      expect(told(mailJobId).map(({ body: { event } }) => event)).toEqual(['MAIL_FAILED']);
    }
    expect(await customer.balanceCents()).toBe(before - letter.totalCents);
    await receiver.close();
  });
});
