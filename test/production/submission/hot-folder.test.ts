// Level: push
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProviders, prepareProviders } from '#common/production/submission/create-providers.ts';
import { pollMs } from '#common/production/submission/press-steps.ts';
import { openPapers } from '#test/support/documents/typesetting/use-typesetting.ts';
import { afterAll, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress, eventKindsOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

const root = await mkdtemp(join(tmpdir(), 'bluejay hot folder '));
const settings = { hotFolder: root, cupsPrinter: null };
await prepareProviders(settings);

describe('a batch through the hot folder', () => {
  afterAll(() => rm(root, { recursive: true, force: true }));
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const printRules = [{ zone: null, serviceType: null, provider: 'hot-folder' }] as const;
  const providers = createProviders(settings, openPapers());
  const scene = startPressScene(world, clock, { printRules, providers });
  const three = { recipients: ['Ada', 'Bo', 'Cy'].map((name) => aRequestAddress({ name })) };

  const manifestOf = async (batchId: string) =>
    JSON.parse(await readFile(join(root, 'out', batchId, 'manifest.json'), 'utf8'));
  /** Writes a result file as a print system does, and reads it. */
  async function report(name: string, results: unknown): Promise<void> {
    const path = join(root, 'results', `${name}.json`);
    await writeFile(`${path}.tmp`, typeof results === 'string' ? results : JSON.stringify(results));
    await rename(`${path}.tmp`, path);
    clock.advance(pollMs);
    await scene.runBatches();
  }
  const resultsIn = async (folder: string) => (await readdir(join(root, 'results', folder))).sort();

  test('its copies, papers and manifest are written, and its results move the items', async () => {
    const first = await scene.sendRendered(three, 3);
    clock.advance(1_000);
    const second = await scene.sendRendered({}, 2);
    await scene.bringToPress(first._id);
    const { _id: batchId, state } = await scene.batchOf(second._id);
    expect(state).toBe('at_press');

    const manifest = await manifestOf(batchId);
    const items = [...first.items, ...second.items].map(({ itemId }) => itemId);
    expect(manifest).toMatchObject({ batchId, itemCount: 4, sheetCount: 7, format: 'DL' });
    expect(manifest.files.map(({ itemId }: { itemId: string }) => itemId)).toEqual(items);
    expect((await readdir(join(root, 'out', batchId))).sort()).toEqual([
      'deposit-slip.pdf',
      'items',
      'job-ticket.pdf',
      'manifest.json',
    ]);
    for (const { file, sha256, sizeBytes } of manifest.files) {
      const bytes = await readFile(join(root, 'out', batchId, file));
      expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([sizeBytes, sha256]);
    }
    const { body } = await scene.customer.http.get(`/v1/mails/${second._id}`);
    expect(body.recipients[0].copySha256).toBe(manifest.files[3].sha256);

    const failed = { itemId: items[1], result: 'failed', reason: 'The paper tore.' };
    await report('some', { schemaVersion: 1, batchId, items: [{ itemId: items[0], result: 'printed' }, failed] });
    const { status, items: now } = await scene.read(first._id);
    expect([status, ...now.map((item) => item.status)]).toEqual(['queued', 'printed', 'failed', 'queued']);
    expect(now[1]?.failure).toEqual({ code: 'PRINT_FAILED', message: 'The paper tore.' });
    await report('all', { batchId, result: 'printed' });
    expect([(await scene.read(first._id)).status, (await scene.read(second._id)).status]).toEqual([
      'printed',
      'printed',
    ]);
    expect((await scene.batchOf(first._id)).state).toBe('printed');
    expect(await eventKindsOf(first._id)).toEqual(['MAIL_QUEUED', 'MAIL_PRINTED']);
    expect(await resultsIn('done')).toEqual(['all.json', 'some.json']);
  });

  test('a result file that does not fit is put aside, with the reason, and changes nothing', async () => {
    clock.set(new Date('2027-03-02T08:00:00Z'));
    const { _id, items } = await scene.sendRendered();
    const other = await scene.sendRendered({ color: true });
    await scene.bringToPress(_id);
    const { _id: batchId } = await scene.batchOf(_id);
    await report('broken', '{"batchId":');
    await report('strange', { batchId, items: [{ itemId: other.items[0]?.itemId, result: 'printed' }] });
    await report('unknown', {
      batchId: batchId.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      result: 'printed',
    });
    expect((await scene.read(_id)).status).toBe('queued');
    const rejected = await resultsIn('rejected');
    expect(rejected.filter((name) => name.endsWith('.json'))).toHaveLength(3);
    const reasons = await Promise.all(
      rejected
        .filter((name) => name.endsWith('.txt'))
        .map((name) => readFile(join(root, 'results/rejected', name), 'utf8')),
    );
    expect(reasons.some((text) => text.includes(`is not in batch ${batchId}`))).toBe(true);
    expect(reasons.some((text) => text.includes('waits for results'))).toBe(true);
    await report('good', { batchId, items: [{ itemId: items[0]?.itemId, result: 'printed' }] });
    expect((await scene.read(_id)).status).toBe('printed');
  });

  test('while the folder is away the batch waits, and its problem says what to do', async () => {
    clock.set(new Date('2027-03-03T08:00:00Z'));
    const { _id } = await scene.sendRendered();
    await rename(root, `${root} away`);
    await scene.bringToPress(_id);
    const { state, problem, _id: batchId } = await scene.batchOf(_id);
    expect([state, problem]).toEqual(['closed', expect.stringContaining(root)]);
    await rename(`${root} away`, root);
    clock.advance(60_000);
    await scene.runBatches();
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'at_press', problem: null });
    expect((await manifestOf(batchId)).itemCount).toBe(1);
  });
});
