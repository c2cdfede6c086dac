import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { openCutoff } from '#common/calendar.ts';
import { systemClock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import { newId } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { inParallel } from '#common/platform/concurrency/in-parallel.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { type ApiClient, uploadFile } from '#scripts/demo/api-client.ts';
import { benchAddress } from '../open-bench-account.ts';

const pages = 3;
const sendsAtOnce = 16;

/** Makes letters of 3 pages of text, each with its own words, and with the window blank. */
export async function makeLetters(count: number): Promise<Buffer[]> {
  const made: Buffer[] = [];
  for (let letter = 1; letter <= count; letter += 1) {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    for (let page = 1; page <= pages; page += 1) {
      const sheet = document.addPage([595.28, 841.89]);
      for (let line = 1; line <= 30; line += 1) {
        const text = `Letter ${letter}, page ${page}, line ${line}: the quick brown fox jumps over the lazy dog`;
        sheet.drawText(text, { x: 70, y: 577 - line * 17, size: 11, font });
      }
    }
    made.push(Buffer.from(await document.save()));
  }
  return made;
}

/** Sends live letters by the API. */
export async function sendLetters(api: ApiClient, letters: readonly Buffer[]): Promise<void> {
  const send = async (bytes: Buffer) => {
    const s3Key = await uploadFile(api, { filename: 'letter.pdf', mimeType: 'application/pdf', bytes });
    const letter = { zone: 'NATIONAL', serviceType: 'standard', pages, recipients: [benchAddress], files: [{ s3Key }] };
    await api.call('POST', '/v1/mails', letter);
  };
  await inParallel(letters, send, sendsAtOnce);
}

const rowsAtOnce = 500;

/** Stores rendered letters that wait for the next cutoff: copies of a letter that was printed, with one print file. */
export async function storeRendered(
  template: MailJobRecord,
  { letters, recipients }: { letters: number; recipients: number },
  { cutoffs }: Pick<Config, 'cutoffs'>,
): Promise<void> {
  const { batchId: _, externalId: __, ...rest } = template;
  const now = systemClock.now();
  const drop = openCutoff({ notBefore: now, now, serviceType: template.serviceType }, cutoffs);
  const [item] = template.items;
  if (!item) throw new Error('The letter has no recipient.');
  const jobs = Array.from({ length: letters }, (): MailJobRecord => {
    const items = Array.from({ length: recipients }, (_, n) => {
      return { ...item, itemId: newId('mi'), name: `Recipient ${n}`, status: 'queued' as const };
    });
    const waiting = { status: 'queued' as const, printedAt: null, due: { batch: newDue(drop.closesAt) } };
    return { ...rest, ...drop, ...waiting, _id: newId('mj'), items };
  });
  for (let from = 0; from < letters; from += rowsAtOnce) {
    await rowsOf<MailJobRecord>(MailJob).insertMany(jobs.slice(from, from + rowsAtOnce), { ignoreUndefined: true });
  }
}
