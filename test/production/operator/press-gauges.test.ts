// Level: push
import { Registry } from 'prom-client';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { readServiceState } from '#common/operations/read-service-state.ts';
import { createLog } from '#common/platform/process/log.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { registerPressGauges, reportSimulatedPress } from '#common/production/operator/press-gauges.ts';
import { addTrackingRange, closeTrackingRange } from '#common/production/tracking/manage-ranges.ts';
import type { PrintRule } from '#common/services.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

const rule = (serviceType: PrintRule['serviceType'], provider: PrintRule['provider']): PrintRule => {
  return { zone: null, serviceType, provider };
};

describe('what print production reports', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const printRules = [rule('standard', 'manual')];
  const scene = startPressScene(world, clock, { printRules });

  function report(rules: readonly PrintRule[]) {
    const lines: string[] = [];
    const registry = new Registry();
    registerPressGauges(rules, registry, { isScanning: true });
    reportSimulatedPress(rules, registry, createLog('test', 'warn', { write: (line) => void lines.push(line) }));
    const read = async (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(await registry.metrics())?.[1];
    return { read, lines };
  }

  test('live letters that no provider prints are counted once they are rendered', async () => {
    const { read } = report(printRules);
    const count = () => read('press_letters_without_provider');
    await scene.sendRendered();
    const id = await scene.send({ serviceType: 'prior' });
    expect(await count()).toBe('0');
    await scene.render(id);
    expect(await count()).toBe('1');
    expect(await report([rule(null, 'manual')]).read('press_letters_without_provider')).toBe('0');
  });

  test('batches that need the operator are counted', async () => {
    const count = () => report(printRules).read('press_batches_for_operator');
    const { _id } = await scene.sendRendered();
    const { batchId = '' } = await scene.bringToPress(_id);
    expect(await count()).toBe('0');
    await Batch.updateOne({ _id: batchId }, { $set: { state: 'needs_operator' } });
    expect(await count()).toBe('1');
    await Batch.updateOne({ _id: batchId }, { $set: { state: 'posted' } });
    expect(await count()).toBe('0');
  });

  test('the numbers left are counted by indicator and country, over the ranges that are not closed', async () => {
    const { read } = report(printRules);
    const left = (indicator: string) => read(`press_tracking_numbers_left{indicator="${indicator}",country="XX"}`);
    const range = { country: 'XX', automaticZones: [], note: null };
    await addTrackingRange({ ...range, indicator: 'RA', firstSerial: 0, lastSerial: 9 }, undefined, clock.now());
    await addTrackingRange({ ...range, indicator: 'RA', firstSerial: 20, lastSerial: 24 }, undefined, clock.now());
    await addTrackingRange({ ...range, indicator: 'RB', firstSerial: 7, lastSerial: 7 }, undefined, clock.now());
    expect([await left('RA'), await left('RB')]).toEqual(['15', '1']);
    await closeTrackingRange('RB-XX-1', undefined, clock.now());
    expect([await left('RA'), await left('RB')]).toEqual(['15', undefined]);
  });

  test.each([
    ['names it alone', [rule(null, 'simulated')], 1],
    ['names it for one service', [rule('prior', 'simulated'), rule(null, 'manual')], 1],
    ['names it behind a rule for all letters', [rule(null, 'manual'), rule(null, 'simulated')], 0],
    ['does not name it', [rule(null, 'manual')], 0],
  ])('a configuration that %s shows as a gauge and a warning', async (_what, rules, value) => {
    const { read, lines } = report(rules);
    expect(await read('press_simulated_provider_live')).toBe(String(value));
    const warning = expect.objectContaining({ level: 'warn', msg: expect.stringContaining('simulated') });
    expect(lines.map((line) => JSON.parse(line))).toEqual(value === 1 ? [warning] : []);
  });

  test('the state of the service has letters to collect, batches to run and letters to merge', async () => {
    const waiting = async () => (await readServiceState(clock.now())).waiting;
    const none = { count: 0, oldestAt: null };
    await MailJob.updateMany({}, { $unset: { 'due.batch': '' } });
    await Batch.updateMany({}, { $unset: { 'due.press': '', 'due.parts': '' } });
    const { closesAt } = await scene.sendRendered();
    expect(await waiting()).toMatchObject({ batch: none, press: none, 'print-parts': none });
    clock.set(closesAt);
    expect(await waiting()).toMatchObject({ batch: { count: 1, oldestAt: closesAt }, press: none });
    await scene.collect();
    clock.advance(1_000);
    expect(await waiting()).toMatchObject({ batch: none, press: { count: 1, oldestAt: clock.now() } });
    await scene.runBatches();
    expect(await waiting()).toMatchObject({ press: none, 'print-parts': { count: 1, oldestAt: clock.now() } });
  });
});
