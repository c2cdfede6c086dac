// Level: push
import mongoose from 'mongoose';
import { Registry } from 'prom-client';
import { disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { createLog } from '#common/platform/process/log.ts';
import { registerPressGauges, reportSimulatedPress } from '#common/production/operator/press-gauges.ts';
import { expect, test } from '../support/jest.ts';
import { useOwnMongo } from '../support/servers/own-mongo.ts';

const appName = 'metrics';
/** Longer than a gauge waits, and so short that the connections can be closed soon. */
const blockTimeMS = 5_000;

const mongo = useOwnMongo(appName);

function openRegistry(): Registry {
  const registry = new Registry();
  const rules = [{ zone: null, serviceType: null, provider: 'none' as const }];
  registerPressGauges(rules, registry, { isScanning: true });
  reportSimulatedPress(rules, registry, createLog('test', 'silent'));
  return registry;
}

test('a MongoDB that does not answer or is gone only removes the gauges that are counted in it', async () => {
  const registry = openRegistry();
  const counted = ['press_letters_without_provider', 'press_batches_for_operator'];
  const shown = async () => {
    const text = await registry.metrics();
    expect(text).toContain('press_simulated_provider_live 0\n');
    return counted.map((name) => new RegExp(`^${name} \\d`, 'm').test(text));
  };
  expect(await shown()).toEqual([true, true]);

  const database = mongoose.connection.name;
  const blocked = { failCommands: ['aggregate'], blockConnection: true, blockTimeMS };
  await mongo.fail({ ...blocked, appName, database }, 10);
  // Without a time limit they would have waited for the answers, and be shown.
  expect(await shown()).toEqual([false, false]);
  await mongo.stopFailing();
  expect(await shown()).toEqual([true, true]);

  await disconnectMongo();
  expect(await shown()).toEqual([false, false]);
});
