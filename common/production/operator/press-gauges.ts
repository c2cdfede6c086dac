import type { Registry } from 'prom-client';
import type { Log } from '#common/platform/process/log.ts';
import {
  registerGauge,
  registerLabelledGauge,
  type ScanState,
  whileScanning,
} from '#common/platform/process/metrics.ts';
import { findProvider, type PrintRule, serviceTypes, zones } from '#common/services.ts';
import { readRangeLevels } from '../tracking/range-levels.ts';
import { countWithoutProvider } from './count-without-provider.ts';
import { countBatchesForOperator } from './read-batches.ts';

/** A gauge does not count further. */
const maxCounted = 10_000;

/** Registers the gauges of what print production needs a person for, in the process that scans. */
export function registerPressGauges(rules: readonly PrintRule[], registry: Registry, scanState: ScanState): void {
  const whileHolding = (read: () => Promise<number>) => whileScanning<number | null>(scanState, read, null);
  const unprinted = {
    name: 'press_letters_without_provider',
    help: 'Rendered live letters that wait because no rule of PRINT_PROVIDERS prints them, of the 10,000 oldest.',
  };
  registerGauge(
    registry,
    unprinted,
    whileHolding(() => countWithoutProvider(rules)),
  );
  const batches = {
    name: 'press_batches_for_operator',
    help: 'Batches that are in doubt or wait because of a problem. The count ends at 10,000.',
  };
  registerGauge(
    registry,
    batches,
    whileHolding(() => countBatchesForOperator(maxCounted)),
  );
  const left = {
    name: 'press_tracking_numbers_left',
    help: 'S10 numbers left in the ranges that are not closed, by service indicator and country.',
    labelNames: ['indicator', 'country'],
  };
  const readLeft = async () =>
    (await readRangeLevels()).map(({ left: value, indicator, country }) => ({ value, labels: { indicator, country } }));
  registerLabelledGauge(registry, left, whileScanning(scanState, readLeft, []));
}

/** Reports live letters that go to the simulated provider: by a gauge, and by a warning in the log of each start. */
export function reportSimulatedPress(rules: readonly PrintRule[], registry: Registry, log: Pick<Log, 'warn'>): void {
  const isSimulated = namesSimulated(rules);
  const simulated = {
    name: 'press_simulated_provider_live',
    help: '1 when PRINT_PROVIDERS gives live letters to the simulated provider, which prints nothing.',
  };
  registerGauge(registry, simulated, () => (isSimulated ? 1 : 0));
  if (isSimulated) log.warn('PRINT_PROVIDERS names simulated: live letters are reported as posted, and never printed');
}

/** A rule behind one that fits the same letters decides nothing. */
function namesSimulated(rules: readonly PrintRule[]): boolean {
  const kinds = zones.flatMap((zone) => serviceTypes.map((serviceType) => ({ zone, serviceType })));
  return kinds.some((kind) => findProvider(kind, rules) === 'simulated');
}
