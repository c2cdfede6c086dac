// Level: push
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Bluejay } from '#scripts/sdk/typescript/src/index.ts';
import { photoJpegPath } from '#test/support/documents/build-images.ts';
import { describe, eventually, expect, test, useTempFolders } from '#test/support/jest.ts';
import { aPdf, aPostalAddress, aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { scriptedCommands } from '#test/support/sdk/typescript-scripted.ts';

const recipients = [aPostalAddress()];

describe('what only the TypeScript client has', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const newFolder = useTempFolders();
  const connect = ({ key }: { key: string }) => new Bluejay({ apiKey: key, baseUrl: world.url });

  test('a file is sent from a path, a Blob, a File, bytes and a stream', async () => {
    const bluejay = connect(await world.customer());
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
    const bluejay = connect(await world.customer());
    const abroad = { ...aPostalAddress(), country: 'FR', zip: '75001' };
    const pdf = await aPdf(3);
    // The first check of a file starts the renderer, which may take longer than the client waits.
    const { pages, zone } = await eventually(() => bluejay.mails.sendFile(pdf, { recipients: [abroad] }));
    expect([pages, zone]).toEqual([3, 'INTERNATIONAL']);
  });

  test('awaiting a list returns one page, and toArray as many entries as wanted', async () => {
    const sender = await aSender(world);
    for (let n = 0; n < 4; n += 1) await sender.sendAccepted();
    const bluejay = connect(sender);
    const page = await bluejay.mails.list({ limit: 3 });
    expect(page).toMatchObject({ data: [{}, {}, {}], nextCursor: expect.any(String) });
    expect(await bluejay.mails.list({ limit: 1 }).toArray({ limit: 2 })).toHaveLength(2);
  });

  test('leaving the loop frees the stream', async () => {
    const sender = await aSender(world);
    const bluejay = connect(sender);
    await sender.sendAccepted();
    const after = (await bluejay.events.list()).data[0]?.id ?? '';
    await sender.sendAccepted();
    // More than an organization may have open at a time.
    for (let n = 0; n < 15; n += 1) {
      for await (const event of bluejay.events.stream({ after })) {
        expect(event.event).toBe('MAIL_QUEUED');
        break;
      }
    }
  });

  test('a stream ends with the reason of its signal', async () => {
    const bluejay = connect(await world.customer());
    const controller = new AbortController();
    const reason = new Error('enough');
    const onOpen = () => controller.abort(reason);
    const stream = bluejay.events.stream({}, { signal: controller.signal, onOpen });
    await expect(stream.next()).rejects.toBe(reason);
  });
});

/** Creates a client whose every request gets this reply. */
const scripted = (reply: Response) =>
  new Bluejay({ apiKey: 'bjk_1', baseUrl: 'https://a.example', fetch: async () => reply.clone(), maxRetries: 1 });

test('an aborted call ends with the reason of its signal while it waits', async () => {
  const headers = { 'retry-after': '50' };
  const controller = new AbortController();
  const call = scripted(Response.json({ code: 'X' }, { status: 503, headers })).wallet.get({
    signal: controller.signal,
  });
  const reason = new Error('enough');
  setImmediate(() => controller.abort(reason));
  await expect(call).rejects.toBe(reason);
});

test('an answer that is not from the API is named as such', async () => {
  const page = new Response('<p>Moved</p>', { status: 500 });
  await expect(scripted(page).wallet.get()).rejects.toMatchObject({ code: 'HTTP_500' });
  const half = new Response('{"balance', { headers: { 'content-type': 'application/json' } });
  await expect(scripted(half).wallet.get()).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
});

/** The idempotency key of each attempt at a call, whose first two answers are lost. */
const keysOf = async (call: Parameters<typeof scriptedCommands.call>[0]['call']) =>
  (await scriptedCommands.call({ call, replies: ['broken', 'late'], maxRetries: 2 })).asked;

test('a letter keeps its idempotency key across all attempts, and another letter has another', async () => {
  const [keys, others] = [await keysOf('letter'), await keysOf('letter')];
  expect(keys).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
  expect([new Set(keys).size, new Set(others).size]).toEqual([1, 1]);
  expect(others[0]).not.toBe(keys[0]);
});

test.each([
  ['a letter with an externalId is sent again without a key', 'letter with externalId', [null, null, null]],
  ['a letter keeps the key it was given', 'letter with key', ['mine', 'mine', 'mine']],
  ['a POST without a key is not sent again', 'unsafe POST', [null]],
] as const)('%s after lost answers', async (_title, call, keys) => {
  expect(await keysOf(call)).toEqual(keys);
});
