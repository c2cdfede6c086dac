// Level: unit
import { randomUUID } from 'node:crypto';
import type { FileContent } from '#common/documents/file-content.ts';
import type { MailItem, PrintFileRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { makeItemCopy } from '#common/mail-jobs/proof/item-copy.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { itemId, plainPrintFile, recipient, sender } from '#test/support/documents/addressing/build-print-file.ts';
import { drawGrey } from '#test/support/documents/draw-grey.ts';
import { describe, expect, test, testWithPrograms } from '#test/support/jest.ts';

const print = plainPrintFile(5);
const store = { get: async () => print } as Partial<ObjectStore> as ObjectStore;
const makeFolder = () => Promise.reject(new Error('no folder is needed'));
const item: MailItem = { ...recipient, itemId, status: 'queued', shareCents: 100 };

function recordOf(changes: Partial<PrintFileRecord> = {}): PrintFileRecord {
  const file = { s3Key: randomUUID(), sha256: '0'.repeat(64), sizeBytes: print.length, pageCount: 5 };
  return { ...file, renderedAt: new Date(0), scheme: 'window-left', placement: 'page', ...changes };
}

const bytesOf = (content: FileContent) => ('bytes' in content ? content.bytes : Buffer.of());

describe('the copy of an item', () => {
  const work = { store, makeFolder };
  const make = async (changes: Partial<PrintFileRecord>, of: { onlyPage?: number } = {}) =>
    await makeItemCopy({ sender }, { item, printFile: recordOf(changes) }, { ...work, ...of });

  test.each([
    { placement: 'page', pages: 5 },
    { placement: 'cover', pages: 7 },
  ] as const)('has the pages of the print file: $placement', async ({ placement, pages }) => {
    expect(await make({ placement })).toMatchObject({ pageCount: pages });
  });

  test('has the pages in grey that are recorded so, for the proof and for the press', async () => {
    const lengthOf = async (greyPages: number[]) => bytesOf(await make({ greyPages })).length;
    const [plain, one, two] = [await lengthOf([]), await lengthOf([0]), await lengthOf([0, 2])];
    expect([one > plain, two > one]).toEqual([true, true]);
  });

  testWithPrograms('pdftoppm').each(['page', 'cover', 'none'] as const)(
    'that is made for a picture of one page shows that page as the whole copy does: %s',
    async (placement) => {
      const whole = await drawGrey(bytesOf(await make({ placement })));
      for (const [index, page] of whole.entries()) {
        const only = await drawGrey(bytesOf(await make({ placement }, { onlyPage: index + 1 })));
        expect(only).toHaveLength(whole.length);
        expect(only[index]?.pixels.equals(page.pixels)).toBe(true);
      }
    },
  );

  test('that is made for a picture adds a few kilobytes to many pages', async () => {
    const many = plainPrintFile(200);
    const printFile = recordOf({ pageCount: 200, sizeBytes: many.length });
    const of = { ...work, store: { get: async () => many } as Partial<ObjectStore> as ObjectStore };
    const { sizeBytes } = await makeItemCopy({ sender }, { item, printFile }, { ...of, onlyPage: 101 });
    expect(sizeBytes - many.length).toBeLessThan(16_000);
  });

  test('ends at its next step when its time is over', async () => {
    const ended = makeItemCopy(
      { sender },
      { item, printFile: recordOf() },
      { ...work, signal: AbortSignal.abort('over') },
    );
    await expect(ended).rejects.toBe('over');
  });

  test('is refused when the print file has another number of pages than recorded', async () => {
    for (const pageCount of [1, 4, 6]) await expect(make({ pageCount })).rejects.toThrow('of 5 pages instead of');
  });
});
