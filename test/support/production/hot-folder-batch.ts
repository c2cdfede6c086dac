import { createHash } from 'node:crypto';
import { firstIdAt, newId } from '#common/ids.ts';
import type { PressBatch, PressItem } from '#common/production/press-batch.ts';
import { createManifest } from '#common/production/providers/hot-folder/batch-manifest.schema.ts';
import { type BatchFolder, openBatchFolder } from '#common/production/providers/hot-folder/write-batch-folder.ts';

const madeAt = new Date('2026-03-05T09:00:00Z');

/** The id of a batch, the same in every run. */
export const batchId = `bat_${firstIdAt('mi', madeAt).slice('mi_'.length)}`;

/** The content of a copy. The product does not look into it. */
export const contentOf = (sequence: number): Buffer => Buffer.from(`%PDF-1.7 copy ${sequence}\n`);

/** The sender of all items. */
export const aSender = {
  name: 'Drukkerij Peeters',
  line1: 'Kerkstraat 1',
  line2: null,
  zip: '9000',
  city: 'Gent',
  country: 'BE',
};

/** Items with contents of their own. */
export function makeItems(count: number, sheetsOf: (sequence: number) => number = () => 2): PressItem[] {
  const mailJobId = newId('mj');
  return Array.from({ length: count }, (_, index) => {
    const sequence = index + 1;
    const content = contentOf(sequence);
    return {
      sequence,
      itemId: newId('mi'),
      mailJobId,
      pageCount: 2 * sheetsOf(sequence) - 1,
      sheetCount: sheetsOf(sequence),
      sender: aSender,
      sizeBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
  });
}

/** A batch of these items. */
export function makeBatch(items: readonly PressItem[], changes: Partial<PressBatch> = {}): PressBatch {
  return {
    batchId,
    cutoffAt: new Date('2026-03-05T14:00:00Z'),
    closesAt: new Date('2026-03-05T12:30:00Z'),
    zone: 'NATIONAL',
    serviceType: 'prior',
    format: 'C5',
    window: 'window-right',
    color: false,
    doubleSided: true,
    acknowledgmentReceipt: false,
    itemCount: items.length,
    sheetCount: items.reduce((sum, { sheetCount }) => sum + sheetCount, 0),
    ...changes,
  };
}

/** The papers of a batch with short contents. */
export function makePapers(items: readonly PressItem[]) {
  return {
    manifest: createManifest(makeBatch(items), items),
    jobTicket: Buffer.from('ticket'),
    depositSlip: Buffer.from('slip'),
  };
}

/** Opens a folder for the batch and adds its items. */
export async function writeBatchFolder(root: string, items: readonly PressItem[]): Promise<BatchFolder> {
  const folder = await openBatchFolder(root, batchId);
  for (const item of items) await folder.addItem(item, { bytes: contentOf(item.sequence) });
  return folder;
}
