import { randomUUID } from 'node:crypto';
import type { MailItem, PrintFileRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { makeItemCopy } from '#common/mail-jobs/proof/item-copy.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { itemId, plainPrintFile, recipient, sender } from '#test/support/documents/addressing/build-print-file.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const print = plainPrintFile(5);
const store = { get: async () => print } as Partial<ObjectStore> as ObjectStore;
const makeFolder = () => Promise.reject(new Error('no folder is needed'));
const item: MailItem = { ...recipient, itemId, status: 'queued', shareCents: 100 };

function recordOf(changes: Partial<PrintFileRecord> = {}): PrintFileRecord {
  const file = { s3Key: randomUUID(), sha256: '0'.repeat(64), sizeBytes: print.length, pageCount: 5 };
  return { ...file, renderedAt: new Date(0), scheme: 'window-left', placement: 'page', ...changes };
}

describe('the copy of an item', () => {
  const make = async (changes: Partial<PrintFileRecord>) =>
    await makeItemCopy({ sender }, { item, printFile: recordOf(changes) }, { store, makeFolder });

  test.each([
    { placement: 'page', pages: 5 },
    { placement: 'cover', pages: 7 },
  ] as const)('has the pages of the print file: $placement', async ({ placement, pages }) => {
    expect(await make({ placement })).toMatchObject({ pageCount: pages });
  });

  test('is refused when the print file has another number of pages than recorded', async () => {
    for (const pageCount of [1, 4, 6]) await expect(make({ pageCount })).rejects.toThrow('of 5 pages instead of');
  });
});
