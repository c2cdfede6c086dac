import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import { photoJpegPath, pngOfSize } from '../support/documents/build-images.ts';
import { lockedPdf } from '../support/documents/build-pdf.ts';
import { inflateBomb, recursivePageTree } from '../support/documents/hostile-pdfs.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

const toldWithinMs = 40_000;
const goodWithinMs = 10_000;

type BadFile = { what: string; code: string; mimeType?: string; bytes: () => Promise<Uint8Array> | Uint8Array };

const badFiles: BadFile[] = [
  { what: 'an HTML file named .pdf', code: 'FILE_TYPE_MISMATCH', bytes: () => Buffer.from('<!doctype html><p>Hi') },
  {
    what: 'an encrypted PDF',
    code: 'FILE_UNREADABLE',
    bytes: () => lockedPdf({ userPassword: 'a', ownerPassword: 'b' }),
  },
  {
    what: 'a truncated JPEG',
    code: 'FILE_UNREADABLE',
    mimeType: 'image/jpeg',
    bytes: () => readFileSync(photoJpegPath).subarray(0, 20_000),
  },
  {
    what: 'a PNG header of 60,000 x 60,000',
    code: 'FILE_UNREADABLE',
    mimeType: 'image/png',
    bytes: () => pngOfSize(60_000, 60_000),
  },
  { what: 'a PDF with an endless page tree', code: 'FILE_UNREADABLE', bytes: () => recursivePageTree(1) },
  { what: 'a decompression bomb', code: 'FILE_UNREADABLE', bytes: () => inflateBomb(10_240, true) },
];

describe('letters with bad files', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });

  test('given every kind of bad file sent at once, when they are rendered, then each fails with its code and its money back, told once, and a good letter is not held up', async () => {
    // given
    const customer = await world.customer();
    const before = await customer.balanceCents();
    const receiver = await openReceiver();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_FAILED', 'MAIL_PRINTED'] });
    const good = await upload(customer, await aPdf());
    const keys = await Promise.all(
      badFiles.map(async ({ bytes, mimeType = 'application/pdf' }) => upload(customer, await bytes(), { mimeType })),
    );
    // when
    const sentAt = Date.now();
    const jobs: string[] = [];
    for (const s3Key of keys) {
      const { status, body } = await customer.http.post('/v1/mails', await aLetter(customer, { files: [{ s3Key }] }));
      expect(status).toBe(201);
      jobs.push(body.mailJobId);
    }
    const { body: letter } = await customer.http.post(
      '/v1/mails',
      await aLetter(customer, { files: [{ s3Key: good }] }),
    );
    const goodSentAt = Date.now();
    // then
    const told = (mailJobId: string) => receiver.received.filter(({ body }) => body.mailJobId === mailJobId);
    await eventually(() => expect(told(letter.mailJobId)).toHaveLength(1), { withinMs: 30_000 });
    expect((told(letter.mailJobId)[0]?.at ?? Infinity) - goodSentAt).toBeLessThan(goodWithinMs);
    await eventually(() => expect(receiver.received).toHaveLength(badFiles.length + 1), { withinMs: toldWithinMs });
    for (const [index, { what, code }] of badFiles.entries()) {
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
      expect((told(mailJobId)[0]?.at ?? Infinity) - sentAt).toBeLessThan(toldWithinMs);
    }
    expect(await customer.balanceCents()).toBe(before - letter.totalCents);
    await receiver.close();
  }, 100_000);
});
