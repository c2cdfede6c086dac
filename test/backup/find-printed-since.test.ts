// Level: push
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '#common/ids.ts';
import { createManifest } from '#common/production/providers/hot-folder/batch-manifest.schema.ts';
import { prepareProviders } from '#common/production/submission/create-providers.ts';
import { compareCommands } from '#scripts/admin/commands/recovery/compare.ts';
import { findPrintedSince } from '#scripts/backup/compare/find-printed-since.ts';
import { afterAll, describe, expect, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { aSender } from '../support/production/hot-folder-batch.ts';

const hotFolder = await mkdtemp(join(tmpdir(), 'bluejay press '));
await prepareProviders({ hotFolder, cupsPrinter: null });

describe('the comparison of a restored database with the hot folder', () => {
  startWorld({ hasTariffs: false });
  afterAll(() => rm(hotFolder, { recursive: true }));

  async function publish(batchId: string, manifest: string): Promise<void> {
    await mkdir(join(hotFolder, '.published', batchId));
    await mkdir(join(hotFolder, 'out', batchId));
    await writeFile(join(hotFolder, 'out', batchId, 'manifest.json'), manifest);
  }

  test('goes on after a damaged manifest, and lists numbers on labels that no letter has', async () => {
    const [damaged, batchId, itemId] = [newId('bat'), newId('bat'), newId('mi')];
    await publish(damaged, '{"schemaVersion": 1,');
    const at = new Date();
    const print = {
      zone: 'NATIONAL',
      serviceType: 'registered',
      format: 'C5',
      window: 'window-left',
      color: false,
      doubleSided: true,
    } as const;
    const counts = { acknowledgmentReceipt: false, itemCount: 1, sheetCount: 1 };
    const paper = { sequence: 1, pageCount: 1, sheetCount: 1, sizeBytes: 5, sha256: 'a'.repeat(64), sender: aSender };
    const item = { mailJobId: newId('mj'), itemId, ...paper, trackingNumber: 'RR000000005BE' };
    const manifest = createManifest({ batchId, cutoffAt: at, closesAt: at, ...print, ...counts }, [item]);
    await publish(batchId, JSON.stringify(manifest));
    expect(await findPrintedSince(hotFolder)).toEqual({
      batches: expect.arrayContaining([
        { batchId: damaged, isKnown: false, itemCount: null },
        { batchId, isKnown: false, itemCount: 1 },
      ]),
      printedLetters: [],
      unknownItems: [{ itemId, batchId }],
      unknownNumbers: [{ number: 'RR000000005BE', batchId }],
    });
  });

  test('says of lost letters that nothing was charged', () => {
    const letter = { mailJobId: 'mj_1', organizationId: 'org_1', sentAt: '', printFile: '' };
    const text = compareCommands[0]?.describe({ lostLetters: [letter], press: null, recorded: null } as never);
    expect(text).toContain('Their debits are gone too, so nothing was charged. Tell their senders (1):');
  });
});
