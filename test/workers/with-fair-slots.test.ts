// Level: unit
import type { Owner } from '#common/modes.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { withFairSlots } from '#workers/with-fair-slots.ts';

const live = (organizationId: string): Owner => ({ organizationId, mode: 'live' });
const sandbox = (organizationId: string): Owner => ({ organizationId, mode: 'test' });

/** A worker with one slot for each organization. Its work ends when the test says so. */
function startWorker(ownerOf: (id: string) => Promise<Owner | null>) {
  const running = new Map<string, PromiseWithResolvers<void>>();
  const hinted: string[] = [];
  const handle = async (id: string) => {
    const work = Promise.withResolvers<void>();
    running.set(id, work);
    await work.promise;
  };
  const hints = { notify: (_queue: string, ids: readonly string[]) => void hinted.push(...ids) };
  const worker = withFairSlots({ queue: 'render', concurrency: 10, handle }, { perOrganization: 1, ownerOf, hints });
  const context = { closing: new AbortController().signal } as unknown as Parameters<typeof worker.handle>[1];
  /** Handles a hint, as far as it comes before work ends. */
  const start = async (id: string) => {
    void worker.handle(id, context);
    await new Promise(setImmediate);
  };
  const end = async (id: string) => {
    running.get(id)?.resolve();
    running.delete(id);
    await new Promise(setImmediate);
  };
  return { start, end, hinted, running: () => [...running.keys()] };
}

describe('slots that organizations share', () => {
  test('parked live work is hinted before parked test work, and other organizations overtake it', async () => {
    const ownerOf = async (id: string) =>
      id.startsWith('other') ? live('b') : id.startsWith('live') ? live('a') : sandbox('a');
    const { start, end, hinted, running } = startWorker(ownerOf);
    for (const id of ['test-1', 'test-2', 'live-1', 'live-2', 'other']) await start(id);
    expect(running()).toEqual(['test-1', 'other']);
    for (const id of ['test-1', 'live-1', 'live-2', 'test-2']) {
      await end(id);
      const next = hinted.at(-1);
      if (next !== undefined && id !== 'test-2') await start(next);
    }
    expect(hinted).toEqual(['live-1', 'live-2', 'test-2']);
  });

  test('a hint for work in progress is repeated when that ends', async () => {
    const { start, end, hinted, running } = startWorker(async () => live('a'));
    await start('one');
    await start('one');
    expect(running()).toEqual(['one']);
    await end('one');
    expect(hinted).toEqual(['one']);
  });

  test('a slot is released although its owner cannot be looked up', async () => {
    let isUnreachable = false;
    const ownerOf = async () => {
      if (isUnreachable) throw new Error('the database is unreachable');
      return live('a');
    };
    const { start, end, running } = startWorker(ownerOf);
    await start('one');
    isUnreachable = true;
    await end('one');
    isUnreachable = false;
    await start('two');
    expect(running()).toEqual(['two']);
  });
});
