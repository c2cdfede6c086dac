// Level: unit
import { existsSync } from 'node:fs';
import { createCopyQueue } from '#common/mail-jobs/proof/copy-queue.ts';
import type { Owner } from '#common/modes.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';

const ownerOf = (organizationId: string): Owner => ({ organizationId, mode: 'test' });
const nothing = async () => undefined;

describe('the queue of copies', () => {
  test('makes two copies at a time, fairly, and refuses a twenty-first that waits', async () => {
    const { run } = createCopyQueue();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const start = (organizationId: string, name: string) =>
      run(ownerOf(organizationId), name, async () => {
        order.push(organizationId);
        await gate.promise;
      });
    const greedy = Array.from({ length: 22 }, (_, index) => start('greedy', `greedy ${index}`));
    const refused = start('greedy', 'one more');
    const modest = start('modest', 'modest');
    await expect(refused).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterS: 10 });
    expect(order).toEqual(['greedy', 'greedy']);
    gate.resolve();
    await Promise.all([...greedy, modest]);
    expect([order.length, order.indexOf('modest')]).toEqual([23, 2]);
  });

  test('requests for the same copy share it', async () => {
    const { run } = createCopyQueue();
    let made = 0;
    const make = async () => {
      made += 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => run(ownerOf('one'), 'same', make)));
    expect(made).toBe(1);
    await run(ownerOf('one'), 'same', make);
    expect(made).toBe(2);
  });

  test('a copy that takes too long goes on, and a repeat of its request gets it', async () => {
    const { run } = createCopyQueue({ answerMs: 1 });
    const gate = Promise.withResolvers<void>();
    const ended: string[] = [];
    const late = run(ownerOf('one'), 'slow', async ({ signal }) => {
      await gate.promise;
      ended.push(`aborted: ${signal.aborted}`);
    });
    await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterS: 10 });
    gate.resolve();
    await run(ownerOf('one'), 'slow', nothing).catch(nothing);
    await eventually(() => expect(ended).toEqual(['aborted: false']));
  });

  test('a request does not wait for its turn for ever, and its folder is removed', async () => {
    const { run } = createCopyQueue({ answerMs: 50 });
    const gate = Promise.withResolvers<void>();
    const folders: string[] = [];
    const hold = async ({ makeFolder }: { makeFolder: () => Promise<string> }) => {
      folders.push(await makeFolder());
      await gate.promise;
    };
    const held = ['a', 'b'].map((name) => run(ownerOf('one'), name, hold).catch(nothing));
    let isMade = false;
    const waiting = run(ownerOf('other'), 'c', async () => {
      isMade = true;
    });
    await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await Promise.all(held);
    await eventually(() => expect(folders.map(existsSync)).toEqual([true, true]));
    gate.resolve();
    await eventually(() => expect(folders.map(existsSync)).toEqual([false, false]));
    expect(isMade).toBe(false);
  });
});
