// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { Batch, pressWork } from '#common/production/batches/batch.model.ts';
import { describe, expect, openOnce, standingClock, test } from '../support/jest.ts';
import { aRequestAddress } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { startPressScene } from '../support/production/press-scene.ts';
import { adminOf } from '../support/wallet/admin.ts';

describe('print production on the administration command line', () => {
  // The commands go by the real time.
  const clock = standingClock();
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const letter = openOnce(async () => {
    const recipients = ['1000', '9000'].map((zip) => aRequestAddress({ zip }));
    const { _id } = await scene.sendRendered({ recipients, externalId: 'by-command' });
    const { batchId = '', items } = await scene.bringToPress(_id);
    return { mailJobId: _id, batchId, itemIds: items.map(({ itemId }) => itemId) };
  });

  const run = (...words: string[]) => adminOf(world)(words);
  async function get(...words: string[]) {
    const { code, output, stdout } = await run(...words, '--json');
    if (code !== 0) throw new Error(`${words.join(' ')}: ${output}`);
    return JSON.parse(stdout);
  }
  const actionsOf = async (subjectId: string) => {
    const entries = await AuditEntry.find({ subjectId }).sort({ _id: 1 }).lean();
    return entries.map(({ action, actor }) => [action, actor.kind]);
  };

  test('batches are listed and shown, as JSON and as text', async () => {
    const { batchId } = letter;
    const shown = { batchId, status: 'at_press', provider: 'manual', format: 'DL', itemCount: 2, sheetCount: 2 };
    expect(await get('batch', 'list')).toMatchObject([shown]);
    const items = { queued: 2, printed: 0, posted: 0, delivered: 0, failed: 0 };
    expect(await get('batch', 'show', batchId)).toMatchObject({ ...shown, letterCount: 1, problem: null, items });
    expect((await run('batch', 'list')).stdout).toMatch(
      new RegExp(`^${batchId}  at_press .* 2 items  standard NATIONAL DL`),
    );
    expect((await run('batch', 'show', batchId)).stdout).toContain('2: 2 queued');
    const { code, output } = await run('batch', 'show', 'bat_01h455vb4pex5vsknk084sn02q');
    expect([code, output]).toEqual([1, 'There is no batch bat_01h455vb4pex5vsknk084sn02q.\n']);
  });

  test('an item is reprinted, recorded and shown with its history', async () => {
    const [first = ''] = letter.itemIds;
    const { batchId } = letter;
    expect(await get('item', 'reprint', first, '--reason', 'Torn.')).toEqual({ itemId: first, batchId, reprints: 1 });
    expect(await get('item', 'mark', first, 'printed')).toEqual({ itemId: first, batchId, status: 'printed' });
    const shown = await get('item', 'show', first);
    expect(shown).toMatchObject({ status: 'printed', failure: null, externalId: 'by-command' });
    expect(shown.history.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['batched', 'printed', 'reprinted']);
    expect(await actionsOf(first)).toEqual([
      ['item.reprinted', 'cli'],
      ['item.status-set', 'cli'],
    ]);
  });

  test('an item fails with a reason only, and is not reprinted afterwards', async () => {
    const [, second = ''] = letter.itemIds;
    const missing = await run('item', 'mark', second, 'failed');
    expect([missing.code, missing.output]).toEqual([1, '--reason: Is missing.\n']);
    await get('item', 'mark', second, 'failed', '--reason', 'Burnt.');
    expect((await run('item', 'show', second)).stdout).toContain('PRINT_FAILED: Burnt.');
    expect((await run('item', 'reprint', second, '--reason', 'x')).output).toBe(
      'An item that is failed is not printed again.\n',
    );
  });

  test('a batch in doubt is listed first, and handed over again once', async () => {
    const { _id } = await scene.sendRendered({ color: true });
    const { batchId = '' } = await scene.bringToPress(_id);
    await Batch.updateOne({ _id: batchId }, { $set: { state: 'needs_operator', problem: 'Lost.' } });
    const [line, problem] = (await run('batch', 'list')).stdout.split('\n');
    expect([line?.startsWith(`${batchId}  needs_operator`), problem]).toEqual([true, '  Lost.']);
    expect(await get('batch', 'print-again', batchId)).toEqual({ batchId });
    expect(await world.hints.listQueued(pressWork.queue, 100)).toContain(batchId);
    expect((await Batch.findById(batchId).orFail().lean()).state).toBe('closed');
    expect((await run('batch', 'print-again', batchId)).output).toBe('A batch that is closed is not in doubt.\n');
    expect(await actionsOf(batchId)).toEqual([['batch.printed-again', 'cli']]);
  });

  test('a batch is recorded as printed, then as posted', async () => {
    const { _id } = await scene.sendRendered({ color: true, pages: 2 }, 2);
    const { batchId = '' } = await scene.bringToPress(_id);
    expect(await get('batch', 'mark-printed', batchId)).toEqual({ batchId, mark: 'printed' });
    expect(await get('batch', 'show', batchId)).toMatchObject({ status: 'at_press', marking: 'printed' });
    expect((await run('batch', 'show', batchId)).stdout).toContain('its items are being marked as printed');
    const twice = await run('batch', 'mark-printed', batchId);
    expect(twice.output).toBe('A batch that is being marked as printed cannot be marked as printed.\n');
    clock.set(new Date());
    await scene.runBatches();
    expect(await get('batch', 'show', batchId)).toMatchObject({ status: 'printed', marking: null });
    expect((await run('batch', 'mark-posted', batchId)).stdout).toContain('Recorded. The workers mark the items');
    clock.set(new Date());
    await scene.runBatches();
    const late = await run('batch', 'mark-posted', batchId);
    expect(late.output).toBe('A batch that is posted cannot be marked as posted.\n');
    expect(await actionsOf(batchId)).toEqual([
      ['batch.printed', 'cli'],
      ['batch.posted', 'cli'],
    ]);
  });
});
