import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailDetail } from '#common/mail-jobs/views/mail-job.view.ts';
import type { MailReceipt } from '#common/mail-jobs/views/mail-receipt.view.ts';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { createApiClient, uploadFile } from '../demo/api-client.ts';

/** A customer with a key for test letters. */
export type Sender = { baseUrl: string; key: string };

const patienceMs = 10 * 60_000;
const letterFile = join(import.meta.dirname, '../examples/letter.pdf');
const letter = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 } as const;
const recipient = { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };

/**
 * Sends one letter by the public API, as an integrator's program would, and waits until it is posted. Requests that do not
 * reach the service, or that it refuses with 5xx, are repeated. Returns the letter's id. Throws after ten minutes.
 */
export async function sendLetterToPosted({ baseUrl, key }: Sender): Promise<string> {
  const api = createApiClient({ baseUrl, key });
  // The same one in each try, so a repeated request sends no second letter.
  const externalId = `proof-${new Date().toISOString()}`;
  let s3Key: string | null = null;
  let mailJobId: string | null = null;
  let last = 'nothing was tried';
  const isPosted = await pollUntil(
    async () => {
      try {
        s3Key ??= await uploadLetter({ baseUrl, key });
        mailJobId ??= await send(s3Key);
        const { status, failure } = await api.call<MailDetail>('GET', `/v1/mails/${mailJobId}`);
        if (failure) throw new Error(`the letter failed with ${failure.code}: ${failure.message}`);
        last = `${mailJobId} is ${status}`;
        return status === 'posted';
      } catch (error) {
        last = String(error);
        return false;
      }
    },
    { everyMs: 250, withinMs: patienceMs },
  );
  if (!isPosted || !mailJobId)
    throw new Error(`The letter was not posted within ${patienceMs / 60_000} minutes: ${last}`);
  return mailJobId;

  async function send(file: string): Promise<string | null> {
    return (await api.call<MailReceipt>('POST', '/v1/mails', describeLetter(file, externalId))).mailJobId;
  }
}

/** Uploads the file of the letters. Returns its S3 key. */
export async function uploadLetter(sender: Sender): Promise<string> {
  const bytes = await readFile(letterFile);
  return await uploadFile(createApiClient(sender), { filename: 'letter.pdf', mimeType: 'application/pdf', bytes });
}

/** Returns the body of the request that sends a letter. */
export function describeLetter(s3Key: string, externalId: string) {
  return { ...letter, externalId, recipients: [recipient], files: [{ s3Key }] };
}
