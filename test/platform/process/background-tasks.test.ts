// Level: unit
import { createBackgroundTasks } from '#common/platform/process/background-tasks.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { createSuiteLog } from '#test/support/product/suite-log.ts';

function loggedTasks(options: { concurrency?: number; maxPending?: number } = {}) {
  const lines: string[] = [];
  return { lines, tasks: createBackgroundTasks({ log: createSuiteLog((line) => lines.push(line)), ...options }) };
}

describe('background tasks', () => {
  test('close waits for running and for queued tasks', async () => {
    const { tasks } = loggedTasks({ concurrency: 1 });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const ended: string[] = [];
    tasks.run('first', async () => {
      await held;
      ended.push('first');
    });
    tasks.run('second', async () => void ended.push('second'));
    const closed = tasks.close();
    expect(ended).toEqual([]);
    release();
    await closed;
    expect(ended).toEqual(['first', 'second']);
  });

  test('tasks beyond the concurrency wait, and those beyond the limit are dropped and logged', async () => {
    const { lines, tasks } = loggedTasks({ concurrency: 2, maxPending: 5 });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const counts = { now: 0, most: 0, ended: 0 };
    for (let index = 0; index < 7; index += 1) {
      tasks.run('work', async () => {
        counts.now += 1;
        counts.most = Math.max(counts.most, counts.now);
        await held;
        counts.now -= 1;
        counts.ended += 1;
      });
    }
    release();
    await tasks.close();
    expect(counts).toEqual({ now: 0, most: 2, ended: 5 });
    expect(lines.filter((line) => line.includes('dropped'))).toHaveLength(2);
  });

  test('a failed task is logged by name without the message, and the next task runs', async () => {
    const { lines, tasks } = loggedTasks();
    let isDone = false;
    tasks.run('/forgotten-password', () => {
      throw new TypeError('ada@peeters.example is wrong');
    });
    tasks.run('next', async () => {
      isDone = true;
    });
    await tasks.close();
    expect(isDone).toBe(true);
    expect(lines.join()).toContain('"work":"/forgotten-password"');
    expect(lines.join()).toContain('TypeError');
    expect(lines.join()).not.toContain('ada@');
  });
});
