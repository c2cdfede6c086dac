import { setTimeout as sleep } from 'node:timers/promises';
import { type Arrival, arrivalOf, lettersPerArrival } from './load-plan.ts';
import { perform, type World } from './perform.ts';
import type { SoakReceiver } from './receiver.ts';

/** Arrivals of the measurement are numbered from here, those of the load from 0. */
const [firstMeasured, numbersPerStep] = [10_000_000, 1_000_000];
/** Letters wait for their steps and for their batch, so a fast installation needs many callers to be busy. */
const callers = [24, 72, 216, 432];
/** More callers must carry this much more, or the maximum is found. */
const leastGain = 1.1;
/** Of the time of each number of callers. */
const warmUpShare = 0.4;
/** More at once would exhaust the memory of this process. */
const maxInFlight = 10_000;
const tickMs = 5;

/**
 * Measures how many arrivals per second the installation can carry to their end, by the letters that are posted: callers
 * arrive again as soon as their last letter is. Adds callers until these carry no more.
 */
export async function measureMaximum(world: World, { stepS, report, ...options }: MaximumOptions): Promise<number> {
  let most = 0;
  for (const [step, inFlight] of callers.entries()) {
    const first = firstMeasured + step * numbersPerStep;
    const arrivals = (n: number) => arrivalOf(world.seed, first + n);
    const measured = await measureLetters(world, arrivals, { ...options, inFlight, forS: stepS });
    const perS = measured / lettersPerArrival;
    report(`${inFlight} callers: ${perS.toFixed(1)} arrivals/s`);
    if (perS < most * leastGain) return Math.max(most, perS);
    most = perS;
  }
  return most;
}

export type MaximumOptions = {
  receiver: SoakReceiver;
  /** For each number of callers. */
  stepS: number;
  report: (line: string) => void;
  signal: AbortSignal;
};

export type ClosedLoad = {
  inFlight: number;
  /** The first 40 % are a warm-up. */
  forS: number;
  receiver: SoakReceiver;
  signal: AbortSignal;
  /** Called when the warm-up is over, and at the end. */
  onWindow?: () => void;
};

/** Returns the letters that are posted per second while callers arrive again as soon as their last letter is posted. */
export async function measureLetters(
  world: World,
  arrivals: (n: number) => Arrival,
  { receiver, inFlight, forS, signal, onWindow }: ClosedLoad,
): Promise<number> {
  let next = 0;
  const isOver = AbortSignal.any([signal, AbortSignal.timeout(forS * 1_000)]);
  const over = new Promise<void>((resolve) => isOver.addEventListener('abort', () => resolve(), { once: true }));
  const call = async () => {
    while (!isOver.aborted) {
      const letter = await perform(world, arrivals(next++), performance.now());
      if (letter) await Promise.race([receiver.reported(letter.mailJobId, 'MAIL_POSTED'), over]);
    }
  };
  const calling = Promise.all(Array.from({ length: inFlight }, call));
  await sleep(forS * 1_000 * warmUpShare, undefined, { signal }).catch(() => {});
  onWindow?.();
  const before = { posted: receiver.posted(), atMs: performance.now() };
  await over;
  onWindow?.();
  const seconds = (performance.now() - before.atMs) / 1_000;
  const perS = (receiver.posted() - before.posted) / seconds;
  await calling;
  return perS;
}

export type LoadResult = { arrivals: number; notStarted: number; mostInFlight: number };

/**
 * Starts an arrival every 1/rate s, whether earlier ones are answered or not, so a slow answer delays no other arrival.
 * Settles when the last one is done.
 */
export async function driveLoad(
  world: World,
  { perS, forS, signal }: { perS: number; forS: number; signal: AbortSignal },
): Promise<LoadResult> {
  const startMs = performance.now();
  const total = Math.floor(perS * forS);
  const running = new Set<Promise<unknown>>();
  const result = { arrivals: 0, notStarted: 0, mostInFlight: 0 };
  for (let n = 0; n < total && !signal.aborted; ) {
    const dueMs = startMs + (n * 1_000) / perS;
    if (performance.now() < dueMs) {
      await sleep(tickMs);
      continue;
    }
    if (running.size >= maxInFlight) {
      result.notStarted += 1;
    } else {
      const done = perform(world, arrivalOf(world.seed, n), dueMs).finally(() => running.delete(done));
      running.add(done);
      result.arrivals += 1;
      result.mostInFlight = Math.max(result.mostInFlight, running.size);
    }
    n += 1;
  }
  await Promise.all(running);
  return result;
}
