import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Bluejay, ConflictError, type WebhookEvent } from '#scripts/sdk/typescript/src/index.ts';
import { photoJpegPath } from '#test/support/documents/build-images.ts';
import { describe, eventually, expect, test, useTempFolders } from '#test/support/jest.ts';
import { aPdf, aPostalAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startReceiver } from '#test/support/webhooks/receiver.ts';

const recipients = [aPostalAddress()];

describe('a journey with the TypeScript SDK', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const receiver = startReceiver();
  const newFolder = useTempFolders();

  async function connect(): Promise<Bluejay> {
    const { key } = await world.customer();
    return new Bluejay({ apiKey: key, baseUrl: world.url });
  }

  test('a letter is priced, sent, delivered and followed by verified webhooks', async () => {
    const bluejay = await connect();
    const { secret } = await bluejay.webhooks.create({ url: receiver.url, events: ['MAIL_QUEUED', 'MAIL_DELIVERED'] });
    const quote = await bluejay.quotes.create({ zone: 'NATIONAL', serviceType: 'registered', pages: 2 });
    const sent = await bluejay.mails.sendFile(await aPdf(2), { recipients, serviceType: 'registered' });
    expect(sent).toMatchObject({ status: 'queued', pages: 2, zone: 'NATIONAL', totalCents: quote.totalCents });
    const id = sent.mailJobId ?? '';
    await bluejay.mails.simulate(id, { to: 'delivered' });
    expect((await bluejay.mails.get(id)).status).toBe('delivered');
    expect((await bluejay.mails.timeline(id)).data.length).toBeGreaterThan(1);
    await expect(bluejay.mails.cancel(id)).rejects.toThrow(ConflictError);

    const events = await eventually(async () => {
      const deliveries = receiver.received.filter(({ raw }) => raw.includes(id));
      expect(deliveries).toHaveLength(2);
      return await Promise.all(deliveries.map(({ raw, headers }) => bluejay.webhooks.verify(raw, headers, secret)));
    });
    expect(events.map(({ event }: WebhookEvent) => event).sort()).toEqual(['MAIL_DELIVERED', 'MAIL_QUEUED']);
  });

  test('a file is sent from a path, a Blob, a File, bytes and a stream', async () => {
    const bluejay = await connect();
    const path = join(await newFolder(), 'my letter.pdf');
    const bytes = await aPdf();
    await writeFile(path, bytes);
    const sources = [
      [path, 'my letter.pdf', 'application/pdf'],
      [new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'letter.pdf', 'application/pdf'],
      [new File([new Uint8Array(bytes)], 'invoice.pdf'), 'invoice.pdf', 'application/pdf'],
      [bytes, 'letter.pdf', 'application/pdf'],
      [createReadStream(path), 'letter.pdf', 'application/pdf'],
      [new Blob([new Uint8Array(bytes)]).stream(), 'letter.pdf', 'application/pdf'],
      [photoJpegPath, 'photo.jpg', 'image/jpeg'],
    ] as const;
    for (const [source, filename, mimeType] of sources) {
      const { files } = await bluejay.mails.sendFile(source, { recipients, pages: 1 });
      expect(files).toEqual([expect.objectContaining({ filename, mimeType })]);
    }
  });

  test('pages are counted and the zone follows from the recipients', async () => {
    const bluejay = await connect();
    const abroad = { ...aPostalAddress(), country: 'FR', zip: '75001' };
    const { pages, zone } = await bluejay.mails.sendFile(await aPdf(3), { recipients: [abroad] });
    expect([pages, zone]).toEqual([3, 'INTERNATIONAL']);
  });

  test('a list yields each letter once while others are sent', async () => {
    const bluejay = await connect();
    const s3Key = await bluejay.uploads.file(await aPdf());
    const send = (externalId: string) =>
      bluejay.mails.create({
        ...{ zone: 'NATIONAL', serviceType: 'standard', pages: 1, recipients },
        ...{ files: [{ s3Key }], externalId },
      });
    for (let n = 0; n < 7; n += 1) await send(`first ${n}`);
    const seen: (string | null)[] = [];
    for await (const { externalId } of bluejay.mails.list({ limit: 2 })) {
      seen.push(externalId);
      await send(`later ${seen.length}`);
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `first ${n}`));
    expect(await bluejay.mails.list({ limit: 3 })).toMatchObject({
      data: [{}, {}, {}],
      nextCursor: expect.any(String),
    });
    expect(await bluejay.mails.list({ limit: 2 }).toArray({ limit: 5 })).toHaveLength(5);
  });
});
