// Level: push
import { plusMs } from '#common/clock.ts';
import { openPdf } from '#common/documents/pdf/pdf-source.ts';
import { maxWarmBytes } from '#common/documents/warm/warm-pool.ts';
import { keyWithin, newId } from '#common/ids.ts';
import type { CopySource } from '#common/mail-jobs/proof/item-copy.ts';
import { createPagePictures } from '#common/mail-jobs/proof/page-pictures.ts';
import { createProofs } from '#common/mail-jobs/proof/proofs.ts';
import { createLog } from '#common/platform/process/log.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { TemporaryObject } from '#common/platform/s3/temporary-object.model.ts';
import {
  buildPrintFile,
  plainPrintFile,
  recipient,
  sender,
} from '#test/support/documents/addressing/build-print-file.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

const print = plainPrintFile(1);
const sha256 = 'a'.repeat(64);

function letterOf(organizationId: string, s3Key: string, copySha256?: string): CopySource {
  const item = {
    ...recipient,
    itemId: newId('mi'),
    status: 'queued',
    shareCents: 1,
    ...(copySha256 && { copySha256 }),
  };
  const file = { s3Key, sha256, sizeBytes: print.length, pageCount: 1, renderedAt: new Date() };
  return {
    ...{ _id: newId('mj'), organizationId, mode: 'test', status: 'queued', sender, items: [item] as never },
    printFile: { ...file, scheme: 'window-left', placement: 'page' },
  };
}

describe('proofs while the object store is slow', () => {
  const world = startWorld();

  test('the copies of one organization delay neither stored proofs nor pictures of others', async () => {
    const gate = Promise.withResolvers<Buffer>();
    const get: ObjectStore['get'] = async ({ key }) => (key === 'slow' ? await gate.promise : print);
    const log = createLog('test', 'silent', { write: () => {} });
    const pictures = createPagePictures({ warmPool: null, log });
    const proofs = createProofs({ store: { ...world.store, get }, pictures, log });
    const now = new Date();
    const slow = Array.from({ length: 3 }, () => proofs.signProof(letterOf('slow', 'slow'), undefined, now));

    const stored = letterOf('other', 'none', sha256);
    const name = keyWithin(stored._id, `proof ${stored.items[0]?.itemId} ${sha256}`);
    await TemporaryObject.create({ _id: 't/stored', name, storedAt: now, removeAt: plusMs(now, 600_000) });
    expect(await proofs.signProof(stored, undefined, now)).toMatchObject({ sha256, pages: 1 });
    const picture = await proofs.drawPage(letterOf('other', 'fast'), { itemId: undefined, page: 1 });
    expect(picture.subarray(1, 4).toString()).toBe('PNG');

    gate.reject(new Error('over'));
    for (const { status } of await Promise.allSettled(slow)) expect(status).toBe('rejected');
  });

  test('letters whose print files are too large for the memory are in one PDF', async () => {
    const large = buildPrintFile([{ content: ' '.repeat(maxWarmBytes) }]);
    const letters = ['large-1', 'large-2'].map((s3Key) => {
      const letter = letterOf('large', s3Key);
      return { ...letter, printFile: letter.printFile && { ...letter.printFile, sizeBytes: large.length } };
    });
    for (const { printFile } of letters) {
      await world.store.put({ key: printFile?.s3Key ?? '', contentType: 'application/pdf', bytes: large });
    }
    const log = createLog('test', 'silent', { write: () => {} });
    const proofs = createProofs({ store: world.store, pictures: createPagePictures({ warmPool: null, log }), log });
    const { url } = await proofs.signTogether(letters, { keptFor: newId('blk'), filename: 'both.pdf' }, new Date());
    const { pages } = await openPdf(new Uint8Array(await (await fetch(url)).arrayBuffer()));
    expect(pages.length).toBe(4);
  });
});
