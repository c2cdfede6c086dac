// Level: push
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { maxCarrierFiles, prepareCarrierFolder, takeCarrierFiles } from '#common/production/tracking/carrier-folder.ts';
import { recordTracking } from '#common/production/tracking/record-tracking.ts';
import { describe, expect, standingClock, test, useTempFolders } from '#test/support/jest.ts';
import { aRequestAddress, eventKindsOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { onFileStep, systemError } from '#test/support/production/on-file-step.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { s10Of } from '#test/support/production/s10-of.ts';

const header = 'trackingNumber,event,at';
const makeFolder = useTempFolders();

describe('the folder of carrier files', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  let serial = 0;

  async function prepared(): Promise<string> {
    const root = join(await makeFolder(), 'carrier');
    await prepareCarrierFolder(root);
    return root;
  }

  /** A posted registered letter with a label on each item. */
  async function aLabelledLetter(count = 1) {
    const recipients = Array.from({ length: count }, (_, index) => aRequestAddress({ name: `Reader ${index}` }));
    const { _id } = await scene.sendRendered({ serviceType: 'registered', recipients });
    const { items } = await scene.bringToPress(_id);
    const numbers: string[] = [];
    for (const { itemId } of items) {
      serial += 1;
      numbers.push(s10Of(serial));
      await recordTracking({ itemId, label: s10Of(serial) }, undefined, clock.now());
    }
    await advanceItems({ mailJobId: _id, target: 'posted', by: 'operator', nextStepDelayS: 0 }, clock.now());
    clock.advance(60_000);
    return { id: _id, numbers, itemIds: items.map(({ itemId }) => itemId) };
  }

  /** Writes a file as a carrier does. */
  async function drop(root: string, name: string, rows: readonly string[]): Promise<void> {
    await writeFile(join(root, `${name}.tmp`), [header, ...rows, ''].join('\n'));
    await rename(join(root, `${name}.tmp`), join(root, name));
  }
  const take = async (root: string, signal = new AbortController().signal) =>
    await takeCarrierFiles(root, { hints: world.hints, log: world.log }, clock.now(), signal);
  const statusesOf = ({ status, items }: MailJobRecord) => [status, ...items.map((item) => item.status)];
  const stepsOf = async (mailJobId: string) =>
    (await ItemHistory.find({ mailJobId, by: 'carrier' }).sort({ at: 1, _id: 1 }).lean()).map(
      ({ itemId, kind, at, detail }) => ({ itemId, kind, at, detail }),
    );

  test('a letter is delivered, with its event, when all its items are', async () => {
    const root = await prepared();
    const { id, numbers, itemIds } = await aLabelledLetter(2);
    const at = clock.now().toISOString();
    await drop(root, 'one.csv', [`${numbers[0]},delivered,${at}`]);
    expect(await take(root)).toBe(1);
    expect(statusesOf(await scene.read(id))).toEqual(['posted', 'delivered', 'posted']);
    expect(await eventKindsOf(id)).toEqual(['MAIL_QUEUED', 'MAIL_POSTED']);
    clock.advance(60_000);
    await drop(root, 'two.csv', [`${numbers[1]},delivered,${at}`]);
    expect(await take(root)).toBe(1);
    const letter = await scene.read(id);
    expect(statusesOf(letter)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(letter.deliveredAt).toEqual(clock.now());
    expect(await eventKindsOf(id)).toEqual(['MAIL_QUEUED', 'MAIL_POSTED', 'MAIL_DELIVERED']);
    expect((await stepsOf(id)).at(-1)).toEqual({
      ...{ itemId: itemIds[1], kind: 'delivered', at: clock.now(), detail: { deliveredAt: at } },
    });
    expect(await readdir(join(root, 'done'))).toEqual(['one.csv', 'two.csv']);
    expect(await take(root)).toBe(0);
  });

  test('other events are in the history, with their own time, and move nothing', async () => {
    const root = await prepared();
    const { id, numbers, itemIds } = await aLabelledLetter();
    const times = [clock.now(), new Date(clock.now().getTime() + 60_000)];
    const rows = times.map((at, index) => `${numbers[0]},scan-${index},${at.toISOString()}`);
    // The same line twice in a file, and the same file twice.
    await drop(root, 'a.csv', [...rows, ...rows]);
    await drop(root, 'b.csv', rows);
    expect(await take(root)).toBe(2);
    expect(await stepsOf(id)).toEqual(
      times.map((at, index) => ({ itemId: itemIds[0], kind: 'scanned', at, detail: { event: `scan-${index}` } })),
    );
    expect((await scene.read(id)).status).toBe('posted');
    expect(await readdir(join(root, 'done'))).toEqual(['a.csv', 'b.csv']);

    clock.advance(3_600_000);
    const at = clock.now().toISOString();
    const reasons = [`${numbers[0]},back,${at},S11,"Adresse inconnue, parti"`, `${numbers[0]},delivered,${at},D1,`];
    await writeFile(join(root, 'c.csv'), [`${header},reasonCode,reasonText`, ...reasons].join('\n'));
    await take(root);
    expect((await stepsOf(id)).slice(2).map(({ detail }) => detail)).toEqual([
      { deliveredAt: at, reasonCode: 'D1' },
      { event: 'back', reasonCode: 'S11', reasonText: 'Adresse inconnue, parti' },
    ]);
  });

  test('bad lines are listed beside the file, and its good lines are recorded', async () => {
    const root = await prepared();
    const { id, numbers } = await aLabelledLetter(2);
    const failed = await aLabelledLetter();
    const failure = { code: 'DEPOSIT_FAILED', message: 'Lost.' } as const;
    const move = { mailJobId: failed.id, target: 'failed', failure, by: 'operator', nextStepDelayS: 0 } as const;
    await advanceItems(move, clock.now());
    const at = clock.now().toISOString();
    const hourMs = 60 * 60_000;
    const ahead = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
    await drop(root, 'mixed.csv', [
      `${numbers[0]},delivered,${at}`,
      `${s10Of(99_999_999)},delivered,${at}`,
      'nonsense',
      `${failed.numbers[0]},delivered,${at}`,
      `${numbers[1]},delivered,2026-01-01T00:00:00Z`,
      `${numbers[1]},scanned,${ahead(hourMs + 1)}`,
      `${numbers[1]},scanned,${ahead(hourMs)}`,
      `${numbers[1]},delivered,${at}`,
      `${numbers[1]},delivered,${at}`,
    ]);
    expect(await take(root)).toBe(1);
    expect((await scene.read(id)).status).toBe('delivered');
    expect((await scene.read(failed.id)).status).toBe('failed');
    const rejected = join(root, 'rejected');
    expect(await readdir(rejected)).toEqual(['mixed.csv', 'mixed.csv.txt']);
    const text = await readFile(join(rejected, 'mixed.csv.txt'), 'utf8');
    expect(text.split('\n').filter((line) => /^Line \d/.test(line))).toEqual([
      expect.stringContaining('Line 3: No letter has the number'),
      expect.stringContaining('Line 4: The line has not 3 fields'),
      expect.stringContaining('Line 5: The letter failed'),
      expect.stringContaining('Line 6: The time is before the letter was accepted'),
      expect.stringContaining('Line 7: The time is in the future'),
    ]);
    expect(text).toContain('All other lines of the file were recorded.');
  });

  test('a file that cannot be read at all is put aside, and the others are taken', async () => {
    const root = await prepared();
    const { id, numbers } = await aLabelledLetter();
    await writeFile(join(root, 'a.csv'), 'number;event\n');
    await writeFile(join(root, 'b.csv'), Buffer.alloc(8 * 1024 * 1024 + 1, 'x'));
    await symlink('/etc/hostname', join(root, 'c.csv'));
    await mkdir(join(root, 'd.csv'));
    await drop(root, 'e.csv', [`${numbers[0]},delivered,${clock.now().toISOString()}`]);
    await writeFile(join(root, 'f.csv.tmp'), 'half');
    await writeFile(join(root, '.g.csv'), 'hidden');
    expect(await take(root)).toBe(5);
    expect((await scene.read(id)).status).toBe('delivered');
    const names = ['a.csv', 'b.csv', 'c.csv', 'd.csv'].flatMap((name) => [name, `${name}.txt`]);
    expect((await readdir(join(root, 'rejected'))).sort()).toEqual(names);
    expect((await readdir(root)).sort()).toEqual(['.g.csv', 'done', 'f.csv.tmp', 'rejected']);
    const text = await readFile(join(root, 'rejected/c.csv.txt'), 'utf8');
    expect(text).toContain('Only plain files are read.\nNothing in the file was recorded.');
  });

  test('after a crash before a file is moved it is read again, and nothing is recorded twice', async () => {
    const root = await prepared();
    const { id, numbers } = await aLabelledLetter();
    const at = clock.now().toISOString();
    await drop(root, 'one.csv', [`${numbers[0]},in-transit,${at}`, `${numbers[0]},delivered,${at}`]);
    const crash = (step: string) => {
      if (step === 'rename') throw systemError('EIO', 'rename');
    };
    await expect(onFileStep(crash, () => take(root))).rejects.toThrow(/CARRIER_FOLDER: rename of .* failed with EIO/);
    const [letter, steps] = [await scene.read(id), await stepsOf(id)];
    expect(letter.status).toBe('delivered');
    clock.advance(60_000);
    expect(await take(root)).toBe(1);
    expect([await scene.read(id), await stepsOf(id)]).toEqual([letter, steps]);
    expect(await readdir(join(root, 'done'))).toEqual(['one.csv']);
    expect(await eventKindsOf(id)).toEqual(['MAIL_QUEUED', 'MAIL_POSTED', 'MAIL_DELIVERED']);
  });

  test('more lines than one transaction takes are all recorded', async () => {
    const root = await prepared();
    const { id, numbers } = await aLabelledLetter();
    const start = clock.now().getTime();
    const rows = Array.from(
      { length: 250 },
      (_, index) => `${numbers[0]},scan,${new Date(start + index).toISOString()}`,
    );
    await drop(root, 'many.csv', rows);
    await take(root);
    expect(await stepsOf(id)).toHaveLength(250);
  });

  test('a process that stops leaves the file for the next one', async () => {
    const root = await prepared();
    const { id, numbers } = await aLabelledLetter();
    await drop(root, 'one.csv', [`${numbers[0]},delivered,${clock.now().toISOString()}`]);
    await expect(take(root, AbortSignal.abort())).rejects.toThrow();
    expect((await scene.read(id)).status).toBe('posted');
    expect(await take(root)).toBe(1);
  });

  test('one run takes at most 20 files', async () => {
    const root = await prepared();
    for (let index = 0; index <= maxCarrierFiles; index += 1) await drop(root, `${index}.csv`, []);
    expect([await take(root), await take(root), await take(root)]).toEqual([maxCarrierFiles, 1, 0]);
  });

  test('a folder that is not there, or is a link, is an error that says so', async () => {
    const root = join(await makeFolder(), 'away');
    await expect(take(root)).rejects.toThrow(/CARRIER_FOLDER: scandir of .*away failed with ENOENT\. Check that/);
    const real = await prepared();
    await symlink(real, root);
    await expect(prepareCarrierFolder(root)).rejects.toThrow(/is not a folder, or a link to one/);
  });
});
