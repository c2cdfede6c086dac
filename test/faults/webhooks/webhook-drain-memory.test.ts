// Level: long
import { readFile } from 'node:fs/promises';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { afterEach, describe, eventually, expect, test } from '#test/support/jest.ts';
import { killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startReceiver } from '#test/support/webhooks/receiver.ts';
import { anOwner, aWebhookAt, storeEvents } from '#test/support/webhooks/webhook-scene.ts';

const endpoints = 50;
const each = 1_000;
const maxMemoryMb = 300;

describe('a worker that drains 50,000 deliveries', () => {
  const world = startWorld({ hasTariffs: false, hasOwnRedis: true });
  const receiver = startReceiver();
  afterEach(killStartedPrograms);

  test('needs at most 300 MB of memory', async () => {
    for (let index = 0; index < endpoints; index += 1) {
      const owner = anOwner();
      await aWebhookAt(world, owner, receiver.url.replace('127.0.0.1', `e${index}.localhost`));
      await storeEvents(owner, each, new Date());
    }
    const worker = await startProductProcess('workers/main.ts', world.environment);
    await eventually(async () => expect(await Delivery.countDocuments({ state: 'delivered' })).toBe(endpoints * each));
    const status = await readFile(`/proc/${worker.pid}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024).toBeLessThan(maxMemoryMb);
  });
});
