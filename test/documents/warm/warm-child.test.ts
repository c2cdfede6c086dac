// Level: push
import { fileURLToPath } from 'node:url';
import { findFences } from '#common/documents/isolation/fences.ts';
import type { WarmChild } from '#common/documents/warm/spawn-warm-child.ts';
import { startWarmChild, type WarmPrograms } from '#common/documents/warm/start-warm-child.ts';
import { createLog } from '#common/platform/process/log.ts';
import { onePage, rawPdf } from '#test/support/documents/build-pdf.ts';
import { afterEach, describe, expect, test, testWithPrograms } from '#test/support/jest.ts';
import { killStartedPrograms, startNode, waitUntilGone } from '#test/support/processes/process-control.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../../support/documents/${name}`, import.meta.url));
const script = pathOf('misbehaving.script.ts');
const program = pathOf('lying.child.ts');
const log = createLog('test', 'silent');
const { signal } = new AbortController();

let children: WarmChild[] = [];
afterEach(async () => {
  for (const child of children) child.stop();
  children = [];
  await killStartedPrograms();
});

async function start(programs: Partial<WarmPrograms> = {}): Promise<WarmChild> {
  const child = await startWarmChild(log, programs);
  children.push(child);
  return child;
}
const rebuild = (bytes: Uint8Array) => ({ operation: 'rebuildPdf', bytes }) as const;
/** A valid PDF that ends with a word for the misbehaving script. */
const endingWith = (word: string) => Buffer.concat([rawPdf({ objects: onePage() }), Buffer.from(`%${word}`)]);

describe('a warm child with a library that a file takes over', () => {
  test('what a file leaves in the prototypes and in the global object does not reach the next one', async () => {
    const child = await start({ script });
    for (let round = 0; round < 3; round += 1) {
      const answer = await child.ask(rebuild(endingWith('poison')), signal);
      expect([answer?.outcome, answer?.bytes.toString()]).toEqual(['done', 'clean']);
    }
  });

  test.each([
    ['computes without end', 'spin'],
    ['never ends', 'wait'],
    ['takes memory without end', 'take2GB'],
  ])('a file that %s ends the child, without a verdict', async (_title, word) => {
    const child = await start({ script });
    expect(await child.ask(rebuild(endingWith(word)), signal)).toBeNull();
    expect(child.isUsable).toBe(false);
    expect(await child.ask(rebuild(endingWith('count')), signal)).toBeNull();
  });

  testWithPrograms('setpriv')('a child that computes ends with its parent', async () => {
    const path = pathOf('abandoned-child.program.ts');
    const file = endingWith('spin').toString('base64');
    const parent = startNode([path, script, file]);
    const line = await parent.waitForLine(/^child \d+$/);
    parent.kill('SIGKILL');
    await waitUntilGone([Number(line.split(' ')[1])]);
  });

  test('stopping the work ends the child and throws the reason', async () => {
    const child = await start({ script });
    const reason = new Error('the lease was lost');
    const stopping = new AbortController();
    const asked = child.ask(rebuild(endingWith('wait')), stopping.signal);
    stopping.abort(reason);
    await expect(asked).rejects.toBe(reason);
    expect(child.isUsable).toBe(false);
  });

  test('a damaged file is refused, and the child takes the next one', async () => {
    const child = await start();
    expect(await child.ask(rebuild(Buffer.from('%PDF-1.7 nothing')), signal)).toMatchObject({ outcome: 'refused' });
    const good = rebuild(rawPdf({ objects: onePage() }));
    expect(await child.ask(good, signal)).toMatchObject({ outcome: 'done', value: 1 });
    expect(child.fileCount).toBe(2);
  });
});

describe('a warm child that was taken over', () => {
  const ask = (child: WarmChild, way: string) => child.ask(rebuild(Buffer.from(way)), signal);

  test('an honest answer is taken', async () => {
    const answer = await ask(await start({ program }), 'honest');
    expect([answer?.value, answer?.bytes.toString()]).toEqual([1, 'answer']);
  });

  test.each(['garbage', 'huge', 'exit', 'crash', 'half'])('%s in place of an answer ends the child', async (way) => {
    const child = await start({ program });
    expect(await ask(child, way)).toBeNull();
    expect(child.isUsable).toBe(false);
  });

  test('a second answer ends the child: it is not taken for that of the next file', async () => {
    const child = await start({ program });
    await ask(child, 'twice');
    expect(await ask(child, 'honest')).toBeNull();
    expect(child.isUsable).toBe(false);
  });

  test('it reads and writes no file, starts no process, and has neither environment nor network', async () => {
    const answer = await ask(await start({ program }), 'attempts');
    const network = (await findFences()).withoutNetwork.length > 0 ? 'refused' : expect.any(String);
    expect(answer?.bytes.toString().split(' ')).toEqual([...Array(5).fill('refused'), network]);
  });
});
