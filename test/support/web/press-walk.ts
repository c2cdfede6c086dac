import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Page } from 'playwright-core';
import { toMarkText } from '#common/documents/addressing/sheet-mark.ts';
import { Chore } from '#common/platform/due-work/chore.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { prepareProviders } from '#common/production/submission/create-providers.ts';
import { prepareCarrierFolder } from '#common/production/tracking/carrier-folder.ts';
import { eventually, expect, openOnce } from '../jest.ts';
import { openPrintSystem } from '../print/print-system.ts';
import { upload } from '../product/customer.ts';
import { openFolderPrinter } from '../production/folder-printer.ts';
import { adminOf } from '../wallet/admin.ts';
import { subscribe } from '../webhooks/receiver.ts';
import { signInAt, type useBrowser } from './open-browser.ts';
import { bandColour, typeScan } from './press-browser.ts';
import { startWebHost } from './web-host.ts';

/** A step of a letter or a batch takes seconds on a busy machine. */

/** A page with a drawing at this distance from its left edge, in points. Printers reach it from 3 mm on. */
export async function aPage(left: number): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([595.28, 841.89]).drawRectangle({ x: left, y: 400, width: 60, height: 60 });
  return Buffer.from(await document.save());
}

/** Who prints in the walk: a print system at a hot folder, or a printer of cupsd. */
export type WalkProvider = 'hot-folder' | 'cups';

/**
 * Opens a product with workers and a print system, a customer with a webhook, and the page of an operator in a browser.
 * What they do is what a test walks through.
 */
export function usePressWalk(provider: WalkProvider, openPage: ReturnType<typeof useBrowser>) {
  const folders = openOnce(openFolders);
  const system = provider === 'cups' ? openPrintSystem() : null;
  const { world, host } = startWebHost({
    hasWorkers: true,
    // Read when the folders are there and the printer runs.
    get environment() {
      const printer = system
        ? { CUPS_PRINTER: system.cupsd?.uri ?? 'ipp://localhost:1/printers/none' }
        : { HOT_FOLDER: folders.press };
      return { PRINT_PROVIDERS: provider, CARRIER_FOLDER: folders.carrier, ...printer };
    },
  });
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 100_000 }));
  const kinds = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED', 'ITEM_RETURNED'];
  const hooks = openOnce(() => subscribe(customer, kinds));
  const printer = openOnce(async () =>
    openFolderPrinter({ root: folders.press, taken: folders.taken }, { failEvery: Number.POSITIVE_INFINITY }),
  );
  let desk: Promise<Page> | undefined;

  /** The operator's page, signed in once. */
  async function signIn(): Promise<Page> {
    const { user } = await host.signedIn({ isAdmin: true });
    const { page } = await openPage(host.url);
    await signInAt(page, `${host.url}/en/admin/press`, user);
    await page.getByRole('heading', { level: 1, name: 'Print production' }).waitFor();
    return page;
  }
  async function open(path: string): Promise<Page> {
    desk ??= signIn();
    const page = await desk;
    await page.goto(`${host.url}/en/admin/press${path}`);
    return page;
  }

  /** Runs an administration command. Returns what it prints. */
  async function command(...words: string[]): Promise<string> {
    const { code, output, stdout } = await adminOf(world)(words);
    expect([code, output]).toEqual([0, expect.any(String)]);
    return stdout;
  }

  const read = async (id: string) => (await customer.http.get(`/v1/mails/${id}`)).body;
  const statusesOf = async (id: string) => (await read(id)).recipients.map(({ status }: { status: string }) => status);
  const eventsOf = (id: string) =>
    hooks.receiver.received
      .filter(({ body }) => body.mailJobId === id)
      .map(({ body }) => body.event)
      .sort();

  /** Sends a letter, and waits until it can be printed. */
  async function send(fields: Record<string, unknown>) {
    const files = fields.files ?? [{ s3Key: await upload(customer, await aPage(100)) }];
    const { status, body } = await customer.send({ files, ...fields });
    expect([status, body]).toEqual([201, expect.any(Object)]);
    const id: string = body.mailJobId;
    await eventually(async () => expect((await proofOf(id, body.recipients[0].itemId)).status).toBe(200));
    const itemIds: string[] = body.recipients.map(({ itemId }: { itemId: string }) => itemId);
    return { id, itemIds, totalCents: body.totalCents as number };
  }
  const proofOf = (id: string, itemId: string) => customer.http.get(`/v1/mails/${id}/proof?itemId=${itemId}`);

  /** Closes the batch of a letter before its time, by the command. Returns its id. */
  async function close(id: string, letters: number): Promise<string> {
    const said = await command('batch', 'close', '--cutoff', (await read(id)).dropAt);
    expect(said).toBe(`Letters that go to press now: ${letters}.\n`);
    return await eventually(async () => {
      const item = await (await open(`?search=${(await read(id)).recipients[0].itemId}`)).textContent('main');
      const [batchId] = /bat_\w{26}/.exec(item ?? '') ?? [];
      expect(batchId).toBeDefined();
      return batchId ?? '';
    });
  }

  /** Waits for a state of a batch, in which the print system works and is asked more often than every 5 s. */
  async function reach(batchId: string, state: string): Promise<void> {
    await eventually(async () => {
      await printer.takeAll();
      await printer.reportAll();
      const isWaiting = { _id: batchId, 'due.press.leaseToken': null, 'due.press.at': { $gt: new Date() } };
      await Batch.updateOne(isWaiting, { $set: { 'due.press.at': new Date() } });
      world.hints.notify('press', [batchId]);
      expect((await Batch.findById(batchId).orFail()).state).toBe(state);
    });
  }

  /** Returns how often each of these items was printed. */
  async function countPrints(itemIds: readonly string[]): Promise<number[]> {
    const printed = system
      ? (await system.printer.prints()).map(({ name }) => name)
      : printer.items.map(({ itemId }) => itemId);
    return itemIds.map((itemId) => printed.filter((name) => name === itemId).length);
  }

  /** Presses the buttons for a whole batch, and waits until its page, which reloads, says `then`. */
  async function decide(batchId: string, button: string, confirm: string, then: string): Promise<void> {
    const page = await open(`/${batchId}`);
    await page.getByRole('link', { name: button }).click();
    await page.getByRole('button', { name: confirm }).click();
    await page.getByText(then).first().waitFor();
  }
  const handedIn = 'Handed in at the post office';
  const confirmPrinted = (batchId: string) => decide(batchId, 'It was printed', 'Yes, all of it was printed', handedIn);
  const post = (batchId: string) => decide(batchId, handedIn, 'Yes, it was handed in', 'There is nothing left to do.');

  /** Scans the marks of copies, and the label of each. */
  async function scanLabels(itemIds: readonly string[], labels: readonly string[]): Promise<void> {
    const page = await open('/scan?mark=label');
    for (const [index, itemId] of itemIds.entries()) {
      await typeScan(page, toMarkText(itemId, 1, 1));
      await typeScan(page, labels[index] ?? '');
      expect(await bandColour(page)).toBe('success');
    }
  }

  async function scanReturn(itemId: string): Promise<void> {
    const page = await open('/scan?mark=returned&reason=moved');
    await typeScan(page, toMarkText(itemId, 1, 1));
    expect(await bandColour(page)).toBe('success');
  }

  /** The carrier reports deliveries in a file. */
  async function deliver(numbers: readonly string[]): Promise<void> {
    const lines = numbers.map((number) => `${number},delivered,${new Date().toISOString()}`);
    const path = join(folders.carrier, `${provider}.csv`);
    await writeFile(`${path}.tmp`, ['trackingNumber,event,at', ...lines, ''].join('\n'));
    await rename(`${path}.tmp`, path);
    // The folder is looked at every minute.
    await Chore.updateOne({ _id: 'carrier-files' }, { $set: { due: newDue(new Date()) } });
    world.hints.notify('cleanup', ['carrier-files']);
  }

  return {
    ...{ customer, open, read, statusesOf, eventsOf, send, proofOf, close, reach, countPrints, confirmPrinted },
    ...{ post, scanLabels, scanReturn, deliver },
  };
}

async function openFolders() {
  const base = await mkdtemp(join(tmpdir(), 'bluejay walk '));
  const [press, carrier] = [join(base, 'press'), join(base, 'carrier')];
  await prepareProviders({ hotFolder: press, cupsPrinter: null });
  await prepareCarrierFolder(carrier);
  const close = () => rm(base, { recursive: true, force: true, maxRetries: 5 });
  return { press, carrier, taken: join(base, 'taken'), close };
}
