import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeCommit } from '#scripts/program/describe-run.ts';
import { createCaller } from '#scripts/soak/caller.ts';
import { openCustomers } from '#scripts/soak/customers.ts';
import { measureLetters } from '#scripts/soak/drive-load.ts';
import type { World } from '#scripts/soak/perform.ts';
import { startSoakReceiver } from '#scripts/soak/receiver.ts';
import { createRequestLog } from '#scripts/soak/request-log.ts';
import { median, print } from '../measure.ts';
import { makeLetters } from '../production/live-letters.ts';
import { type LetterCosts, type Measured, parts } from './capacity-model.ts';
import { describeCapacity } from './describe-capacity.ts';
import { openMachines } from './machines.ts';

const rounds = 3;
/** The first 40 % of each are a warm-up. */
const roundS = 50;
/** A letter waits 2 s in all for its sandbox steps, so many are needed to keep a core busy. */
const inFlight = 96;
const documentCount = 50;
const file = join(import.meta.dirname, '../../deploy/results/capacity-figures.md');

/**
 * Measures the CPU time of a letter in each part of an installation on one machine of one core, and how many letters two
 * such machines carry, which the model must predict within 25 %. Writes what the model says of larger fleets.
 */
export async function run(): Promise<void> {
  const commit = describeCommit();
  const one = await measureMachines(1);
  const two = await measureMachines(2);
  const text = describeCapacity({ one, two, rounds, roundS, inFlight, commit, at: new Date() });
  print(text);
  await writeFile(file, text);
}

async function measureMachines(count: 1 | 2): Promise<Measured> {
  const held = new AsyncDisposableStack();
  return await measureRounds(count, held).finally(() => held.disposeAsync());
}

async function measureRounds(count: 1 | 2, held: AsyncDisposableStack): Promise<Measured> {
  const machines = await openMachines(held, count);
  const receiver = held.use(await startSoakReceiver());
  const caller = createCaller(machines.origins, createRequestLog());
  held.defer(() => caller.close());
  const customers = await openCustomers({ config: machines.config, caller, receiver });
  const documents = await makeLetters(documentCount);
  const world: World = { seed: 1, caller, customers, documents, records: { letters: [], bulks: [], violations: [] } };
  const figures: Measured[] = [];
  let next = 0;
  for (let round = 0; round < rounds; round += 1) {
    const windows: { used: LetterCosts; customerMs: number; posted: number }[] = [];
    const onWindow = () => {
      const { user, system } = process.cpuUsage();
      windows.push({ used: machines.cpuMs(), customerMs: (user + system) / 1_000, posted: receiver.posted() });
    };
    const arrivals = () => ({ n: next++, kind: 'own document' as const, pick: Math.random() });
    const signal = new AbortController().signal;
    const perS = await measureLetters(world, arrivals, { receiver, inFlight, forS: roundS, signal, onWindow });
    const [before, after] = windows;
    const [violation] = world.records.violations;
    if (violation !== undefined) throw new Error(`The letters failed: ${violation}`);
    if (!before || !after) throw new Error('The round has not ended.');
    const letters = after.posted - before.posted;
    const costs = Object.fromEntries(parts.map((part) => [part, (after.used[part] - before.used[part]) / letters]));
    figures.push({
      perS: [perS],
      costs: costs as LetterCosts,
      customer: (after.customerMs - before.customerMs) / letters,
    });
    print(`${count} machines of one core, round ${round + 1}: ${perS.toFixed(1)} letters/s`);
  }
  const medianOf = (read: (figure: Measured) => number) => median(figures.map(read));
  return {
    perS: figures.flatMap(({ perS }) => perS),
    costs: Object.fromEntries(parts.map((part) => [part, medianOf(({ costs }) => costs[part])])) as LetterCosts,
    customer: medianOf(({ customer }) => customer),
  };
}
