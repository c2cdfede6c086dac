// Level: push
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { discardStale, findPublished } from '#common/production/providers/hot-folder/batch-claims.ts';
import { prepareHotFolder } from '#common/production/providers/hot-folder/prepare-hot-folder.ts';
import { afterEach, byLevel, describe, expect, test, useTempFolders } from '#test/support/jest.ts';
import { killStartedPrograms, startNode } from '#test/support/processes/process-control.ts';
import { batchId, makeItems, makePapers, writeBatchFolder } from '#test/support/production/hot-folder-batch.ts';
import { onFileStep } from '#test/support/production/on-file-step.ts';

const makeFolder = useTempFolders();
afterEach(killStartedPrograms);
const items = makeItems(2);
const program = join(import.meta.dirname, '../../../support/production/publish-batch.program.ts');

/** Ends all further operations of a process that was killed. */
class Killed extends Error {}

async function prepared(): Promise<string> {
  const root = join(await makeFolder(), 'press');
  await prepareHotFolder(root);
  return root;
}

/** Writes the batch as the service does after a restart. Returns the outcomes of publishing. */
async function recover(root: string): Promise<string[]> {
  if ((await findPublished(root, batchId)) === 'published') return [];
  await discardStale(root, batchId);
  const folder = await writeBatchFolder(root, items);
  return [await folder.publish(makePapers(items))];
}

async function writeAndPublish(root: string): Promise<string> {
  return await (await writeBatchFolder(root, items)).publish(makePapers(items));
}

/** As a print system that takes each batch out of the folder as soon as it is there. */
async function takeBatches(root: string): Promise<void> {
  for (const name of await readdir(join(root, 'out'))) {
    await rename(join(root, 'out', name), join(root, 'results', `batch-${performance.now()}`));
  }
}

/** Returns the manifests of the batches that the print system has got. */
async function printedBatches(root: string): Promise<unknown[]> {
  const places = ['out', 'results'];
  const names = await Promise.all(
    places.map(async (place) => (await readdir(join(root, place))).map((n) => join(place, n))),
  );
  const batches = names.flat().filter((name) => /(^|\/)bat/.test(name));
  return await Promise.all(
    batches.map(async (name) => JSON.parse(await readFile(join(root, name, 'manifest.json'), 'utf8'))),
  );
}

/** Runs `work` and calls `strike` once before its step `at`, counted from 1. Returns the number of steps. */
async function strikeAt(at: number, strike: () => Promise<void>, work: () => Promise<unknown>): Promise<number> {
  let steps = 0;
  await onFileStep(async () => {
    steps += 1;
    if (steps === at) await strike();
  }, work);
  return steps;
}

/** Runs `work` and kills it before its step `at`. Returns the number of steps. */
async function killAt(at: number, work: () => Promise<unknown>): Promise<number> {
  let steps = 0;
  const run = onFileStep(() => {
    steps += 1;
    if (steps >= at) throw new Killed();
  }, work);
  await run.catch((error) => {
    if (!(error instanceof Killed)) throw error;
  });
  return steps;
}

/** Returns a hot folder where a process was killed with its claim taken, before the rename to `out`. */
async function killedWithClaim(): Promise<string> {
  const root = await prepared();
  const kill = (step: string, path: string) => {
    if (step === 'rename' && !path.endsWith('.claim')) throw new Killed();
  };
  await onFileStep(kill, () => writeAndPublish(root)).catch(() => {});
  expect(await readdir(join(root, '.published', batchId))).toHaveLength(1);
  return root;
}

/** Every step at the full level. */
const stride = byLevel({ quick: 6, full: 1 });

describe.each([{ isTaken: false }, { isTaken: true }])(
  'a batch (taken by the print system: $isTaken)',
  ({ isTaken }) => {
    const afterwards = async (root: string) => void (isTaken && (await takeBatches(root)));

    test('is handed over once after a crash at any step', async () => {
      const stepCount = await killAt(Number.POSITIVE_INFINITY, async () => await writeAndPublish(await prepared()));
      expect(stepCount).toBeGreaterThan(20);
      const states = new Set<string>();
      for (let at = 1; at <= stepCount; at += stride) {
        const root = await prepared();
        await killAt(at, () => writeAndPublish(root));
        await afterwards(root);
        states.add(await findPublished(root, batchId));
        await recover(root);
        await afterwards(root);
        expect([at, await recover(root)]).toEqual([at, []]);
        expect([at, (await printedBatches(root)).length]).toEqual([at, 1]);
      }
      expect(states).toEqual(new Set(['absent', 'published']));
    });

    test('is handed over once after crashes at any step of the recovery too', async () => {
      const stepCount = await killAt(Number.POSITIVE_INFINITY, async () => await recover(await killedWithClaim()));
      for (let at = 1; at <= stepCount; at += stride) {
        const root = await killedWithClaim();
        await killAt(at, () => recover(root));
        await afterwards(root);
        await recover(root);
        await afterwards(root);
        expect([at, (await printedBatches(root)).length]).toEqual([at, 1]);
        expect([at, await findPublished(root, batchId)]).toEqual([at, 'published']);
      }
    });

    test('is handed over once when a process that was suspended at any step goes on', async () => {
      const stepCount = await killAt(Number.POSITIVE_INFINITY, async () => await writeAndPublish(await prepared()));
      for (let at = 1; at <= stepCount; at += stride) {
        const root = await prepared();
        const outcomes: string[] = [];
        const other = async () => {
          outcomes.push(...(await recover(root)));
          await afterwards(root);
        };
        await strikeAt(at, other, async () => {
          // A folder that was discarded cannot be written to: an error, as good as `contended`.
          outcomes.push(await writeAndPublish(root).catch((error) => error.code));
        });
        await afterwards(root);
        expect([at, outcomes.filter((outcome) => outcome === 'published')]).toEqual([at, ['published']]);
        expect([at, (await printedBatches(root)).length]).toEqual([at, 1]);
        expect([at, await findPublished(root, batchId)]).toEqual([at, 'published']);
      }
    });
  },
);

test('a process that publishes during the recovery by another hands it over once', async () => {
  const stepCount = await killAt(Number.POSITIVE_INFINITY, async () => await recover(await prepared()));
  for (let at = 1; at <= stepCount; at += stride) {
    const root = await prepared();
    const stale = await writeBatchFolder(root, items);
    const outcomes: unknown[] = [];
    const other = async () => {
      outcomes.push(await stale.publish(makePapers(items)).catch((error) => error.code));
      await takeBatches(root);
    };
    await strikeAt(at, other, async () => void outcomes.push(...(await recover(root))));
    expect([at, outcomes.filter((outcome) => outcome === 'published')]).toEqual([at, ['published']]);
    expect([at, (await printedBatches(root)).length]).toEqual([at, 1]);
  }
});

test('a batch is never taken for published while its left-over folder is discarded', async () => {
  let hasStruck = true;
  for (let at = 1; hasStruck; at += 1) {
    const root = await killedWithClaim();
    hasStruck = false;
    const discard = async () => {
      hasStruck = true;
      await discardStale(root, batchId);
    };
    await strikeAt(at, discard, async () => {
      expect([at, await findPublished(root, batchId)]).toEqual([at, 'absent']);
    });
  }
});

test('a folder that is discarded while it is published reports that another process has the batch', async () => {
  const root = await prepared();
  const folder = await writeBatchFolder(root, items);
  const discard = async (step: string, path: string) => {
    if (step === 'rename' && !path.endsWith('.claim')) await discardStale(root, batchId);
  };
  expect(await onFileStep(discard, () => folder.publish(makePapers(items)))).toBe('contended');
  expect(await findPublished(root, batchId)).toBe('absent');
  expect(await recover(root)).toEqual(['published']);
});

test('of processes that publish one batch at the same moment, one wins', async () => {
  const rounds = byLevel({ quick: 2, full: 4, long: 20 });
  for (let round = 0; round < rounds; round += 1) {
    const root = await prepared();
    const startFile = join(await makeFolder(), 'start');
    const programs = [1, 2].map(() => startNode([program, root, startFile]));
    await Promise.all(programs.map((each) => each.waitForLine(/^waiting$/)));
    await writeFile(startFile, '');
    expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([0, 0]);
    const [winner, loser] = programs
      .map((each) => each.standardOutput().split('\n')[1] ?? '')
      .sort()
      .reverse();
    expect(winner).toBe('published');
    expect(['already_there', 'contended']).toContain(loser);
    expect(await printedBatches(root)).toHaveLength(1);
    expect(await findPublished(root, batchId)).toBe('published');
  }
});

test('of twenty folders of one batch that are published at once, one wins', async () => {
  for (let round = 0; round < byLevel({ quick: 2, full: 8, long: 50 }); round += 1) {
    const root = await prepared();
    const folders = await Promise.all(Array.from({ length: 20 }, () => writeBatchFolder(root, items)));
    const outcomes = await Promise.all(folders.map((folder) => folder.publish(makePapers(items))));
    expect(outcomes.filter((outcome) => outcome === 'published')).toHaveLength(1);
    await Promise.all(folders.map((folder) => folder.discard()));
    expect(await readdir(join(root, '.incoming'))).toEqual([]);
    expect(await findPublished(root, batchId)).toBe('published');
  }
});
