import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, readConfig } from '#common/config/config.ts';
import type { MailReceipt } from '#common/mail-jobs/views/mail-receipt.view.ts';
import { formatCents } from '#common/money.ts';
import type { WalletView } from '#common/wallet/wallet.view.ts';
import { type ApiClient, createApiClient, uploadFile } from './demo/api-client.ts';
import { curlLines } from './demo/curl-lines.ts';
import { demoEnvironmentFile, readDemoEnvironment } from './demo/demo-environment.ts';
import { followLetter } from './demo/follow-letter.ts';
import { makeLetterPdf } from './demo/letter-pdf.ts';
import { isPrintedByHotFolder, sendLiveLetter } from './demo/live-letter.ts';
import { beginStory, type Story } from './demo/story.ts';
import { openWebhookReceiver, type WebhookReceiver } from './demo/webhook-receiver.ts';
import { OperatorError } from './program/operator-error.ts';
import { shorten, terminal } from './supervisor/terminal.ts';

/** Registered, because only registered letters report their delivery, and in colour for the photographs. */
const letter = { zone: 'NATIONAL', serviceType: 'registered', pages: 4, color: true } as const;
const recipient = {
  name: 'Claire Dubois',
  line1: 'Chaussée de Wavre 112',
  line2: 'Boîte 3',
  zip: '1050',
  city: 'Ixelles',
  country: 'BE',
};
const downloadMs = 30_000;
const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED'];

type Demo = { config: Config; api: ApiClient; story: Story };

/**
 * Sends one letter through its whole sandbox life by the public API, and prints each step. A live letter follows it
 * through the hot folder of `npm start`. Every wait is bounded. Rejects with an OperatorError that names the failed step.
 */
export async function sendDemoLetter(environment: Record<string, string>): Promise<void> {
  const config = readConfig(environment);
  const dataDir = resolve(config.dataDir);
  const demoEnvironment = await readDemoEnvironment(dataDir);
  const key = demoEnvironment.BLUEJAY_TEST_KEY;
  if (!key) throw new OperatorError(`${demoEnvironmentFile(dataDir)} contains no test key. Delete it and start again.`);
  // Not BASE_URL, which may name a proxy that does not run.
  const api = createApiClient({ baseUrl: `http://localhost:${config.http.port}`, key });
  const demo = { config, api, story: beginStory() };
  const liveKey = demoEnvironment.BLUEJAY_LIVE_KEY;

  terminal.print('\nThe demonstration letter, sent as your own system would send it:\n');
  const mailJobId = await sendAndFollow(demo);
  const pdfFile = join(dataDir, 'demo-letter.pdf');
  await showOutcome(demo, mailJobId, pdfFile);
  if (liveKey && isPrintedByHotFolder(config)) await sendLiveLetter(config, liveKey);
  const lines = curlLines(dataDir, join(import.meta.dirname, 'examples/letter.pdf'), 1);
  terminal.print(`\nDo the same by hand, in another terminal:\n\n${lines.replaceAll(/^(?=.)/gm, '  ')}\n`);
}

/** Sends the letter and follows it from its price to the last webhook. Removes its webhook and receiver afterwards. */
async function sendAndFollow({ config, api, story }: Demo): Promise<string> {
  const { step, report } = story;
  const receiver = await openWebhookReceiver();
  let webhookId: string | undefined;
  try {
    const { totalCents } = await step('Quote', () => api.call<{ totalCents: number }>('POST', '/v1/quote', letter));
    report('Quote', `${formatCents(totalCents)} with VAT: ${letter.pages} pages, colour, ${letter.serviceType}`);
    webhookId = await step('Webhook', () => registerWebhook(api, receiver));
    report('Webhook registered', receiver.url);
    const files = await uploadAll({ api, story });
    const mailJobId = await step('Mail', () => sendMail(api, files));
    report('Mail sent', mailJobId);
    const { stepDelayS } = config.sandbox;
    await step('Delivery', () => followLetter({ api, mailJobId, receiver, story, stepDelayS }));
    const registered = webhookId;
    webhookId = undefined;
    await step('Webhook', () => api.call('DELETE', `/v1/webhooks/${registered}`));
    return mailJobId;
  } finally {
    // Set only after a failure, which must not be hidden by an error of this call.
    if (webhookId) await api.call('DELETE', `/v1/webhooks/${webhookId}`).catch(() => {});
    await receiver.close();
  }
}

async function registerWebhook(api: ApiClient, receiver: WebhookReceiver): Promise<string> {
  const wanted = { url: receiver.url, events, description: 'The demonstration letter' };
  const { id, secret } = await api.call<{ id: string; secret: string }>('POST', '/v1/webhooks', wanted);
  receiver.verifyWith(secret);
  return id;
}

async function uploadAll({ api, story }: Pick<Demo, 'api' | 'story'>): Promise<{ s3Key: string }[]> {
  const photo = (filename: string) => readFile(join(import.meta.dirname, 'demo', filename));
  const files = [
    {
      filename: 'letter.pdf',
      mimeType: 'application/pdf',
      read: () => makeLetterPdf(new Date()),
    },
    { filename: 'photo.jpg', mimeType: 'image/jpeg', read: () => photo('photo.jpg') },
    { filename: 'photo.heic', mimeType: 'image/heic', read: () => photo('photo.heic') },
  ];
  const uploaded = [];
  for (const { filename, mimeType, read } of files) {
    const bytes = await read();
    const s3Key = await story.step(`Upload of ${filename}`, () => uploadFile(api, { filename, mimeType, bytes }));
    story.report(`Uploaded ${filename}`, `${(bytes.length / 1_000).toFixed(1)} kB, ${mimeType}`);
    uploaded.push({ s3Key });
  }
  return uploaded;
}

async function sendMail(api: ApiClient, files: { s3Key: string }[]): Promise<string> {
  // An external id makes a repeated request harmless.
  const externalId = `demo-${new Date().toISOString()}`;
  const body = { ...letter, externalId, recipients: [recipient], files };
  const { mailJobId } = await api.call<MailReceipt>('POST', '/v1/mails', body);
  if (mailJobId === null) throw new Error('the answer names no mail job');
  return mailJobId;
}

async function showOutcome({ api, story }: Demo, mailJobId: string, pdfFile: string) {
  const { balanceCents } = await story.step('Wallet', () => api.call<WalletView>('GET', '/v1/wallet'));
  story.report('Balance', `${formatCents(balanceCents)} are left in the test wallet`);
  const proof = await story.step('Proof', () =>
    api.call<{ url: string; pages: number }>('GET', `/v1/mails/${mailJobId}/proof`),
  );
  await story.step('Proof', () => download(proof.url, pdfFile));
  story.report('Proof', `${shorten(pdfFile)}, the ${proof.pages} pages as they would go to press`);
}

/** Downloads a signed URL to `path`. */
async function download(url: string, path: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(downloadMs) });
  if (!answer.ok) throw new Error(`the object store answered ${answer.status}`);
  const draft = `${path}.${process.pid}.part`;
  await writeFile(draft, Buffer.from(await answer.arrayBuffer()));
  await rename(draft, path);
}
