import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { writeDemoEnvironment } from '../../scripts/demo/demo-environment.ts';
import type { Customer } from '../support/customer.ts';
import { killStartedPrograms, type Program, startNode, startProgram } from '../support/process-control.ts';
import { useTempFolders } from '../support/temp-folder.ts';
import { startWorld } from '../support/world.ts';

const root = join(import.meta.dirname, '../..');
const isCurlHere = spawnSync('curl', ['--version']).status === 0;
const script = `
  import { sendDemoLetter } from './scripts/demo-letter.ts';
  await sendDemoLetter(process.env).catch((error) => { console.error(error.message); process.exit(1); });`;

describe('the demonstration letter', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  /** Sends it in a process of its own, as npm start does, against the service of this test. */
  async function sendDemoLetter(dataDir: string, customer: Customer): Promise<Program> {
    const nothing = { BLUEJAY_LIVE_KEY: '', BLUEJAY_USER_EMAIL: '', BLUEJAY_USER_PASSWORD: '', BLUEJAY_CLIENT_ID: '' };
    await writeDemoEnvironment(dataDir, {
      ...nothing,
      BLUEJAY_URL: world.url,
      BLUEJAY_AUTH_URL: '',
      BLUEJAY_METRICS_URL: '',
      BLUEJAY_ORG: customer.organizationId,
      BLUEJAY_TEST_KEY: customer.key,
      BLUEJAY_JOB_WEBHOOK_SECRET: '',
      BLUEJAY_CLIENT_SECRET: '',
      BLUEJAY_ADMIN_EMAIL: '',
      BLUEJAY_ADMIN_PASSWORD: '',
    });
    const environment = {
      ...process.env,
      PORT: new URL(world.url).port,
      DATA_DIR: dataDir,
      ENCRYPTION_KEYS: world.config.encryptionKeys.join(','),
      SANDBOX_STEP_DELAY_S: '1',
    };
    return startNode(['--input-type=module', '-e', script], { environment, cwd: root });
  }

  test('given a service with workers, when it is sent, then each step is told and the lines for curl work', async () => {
    const customer = await world.customer();
    const dataDir = await makeFolder();
    const program = await sendDemoLetter(dataDir, customer);
    expect([await program.ended, program.output()]).toEqual([0, expect.any(String)]);

    const told = [...program.standardOutput().matchAll(/^✓ (.*?) {2,}([\d.]+) s(?: {2}(.*))?$/gm)];
    expect(told.map(([, what]) => what)).toEqual([
      'Quote',
      'Webhook registered',
      ...['Uploaded letter.pdf', 'Uploaded photo.jpg', 'Uploaded photo.heic'],
      'Mail sent',
      'Webhook MAIL_QUEUED',
      ...['Printed', 'Webhook MAIL_PRINTED'],
      ...['Posted', 'Webhook MAIL_POSTED'],
      ...['Delivered', 'Webhook MAIL_DELIVERED'],
      'Balance',
      'Print file',
    ]);
    const webhooks = told.filter(([, what]) => what?.startsWith('Webhook MAIL_'));
    expect(webhooks.map(([, , , detail]) => detail)).toEqual(Array(4).fill('signature verified'));
    const [job] = (await customer.http.get('/v1/mails')).body.data;
    expect(job).toMatchObject({ status: 'delivered', serviceType: 'registered', pages: 4 });
    expect(await customer.balanceCents()).toBe(100_000 - job.totalCents);
    expect((await customer.http.get('/v1/webhooks')).body.data).toEqual([]);
    const printed = await PDFDocument.load(await readFile(join(dataDir, 'demo-letter.pdf')));
    expect(printed.getPageCount()).toBe(4);

    // A slim container has no curl; whoever reads the lines there will see that, too.
    if (!isCurlHere) return;
    await runCurlLines(program.standardOutput());
    expect((await customer.http.get('/v1/mails')).body.data).toHaveLength(2);
  }, 60_000);

  /** Pastes what is printed after "Do the same by hand" into a shell; a line that fails would end it. */
  async function runCurlLines(output: string): Promise<void> {
    const lines = output.slice(output.indexOf('\n', output.indexOf('Do the same by hand')));
    const shell = startProgram('sh', ['-euc', lines.replaceAll('curl -sS', 'curl -sS --fail')], { cwd: root });
    expect([await shell.ended, shell.output()]).toEqual([0, expect.stringContaining('"status":"queued"')]);
  }

  test('given an empty wallet, when it is sent, then it fails, names the step and leaves no webhook behind', async () => {
    const poor = await world.customer({ balanceCents: 5 });
    const program = await sendDemoLetter(await makeFolder(), poor);
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain('Mail: POST /v1/mails answered 402 INSUFFICIENT_FUNDS');
    expect((await poor.http.get('/v1/webhooks')).body.data).toEqual([]);
  }, 30_000);
});
