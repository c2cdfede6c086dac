import { percentile } from '../bench/measure.ts';

/** Durations of a kind of request, from the intended start to the answer that settles it. */
type Durations = { quietMs: number[]; faultyMs: number[] };

/** A period from the beginning of a fault until the service has had time to recover. */
export type FaultWindow = { fromMs: number; toMs: number };

export type KindRow = { kind: string; count: number; quiet: Percentiles; faulty: Percentiles & { count: number } };
type Percentiles = { p50: number; p99: number; p999: number };

export type RequestLog = ReturnType<typeof createRequestLog>;

/** Collects the durations and failures of requests, apart for those that met a fault. */
export function createRequestLog() {
  const kinds = new Map<string, Durations>();
  const windows: FaultWindow[] = [];
  const failures = { inWindows: new Map<string, number>(), outside: new Map<string, number>() };
  const meetsFault = (fromMs: number, toMs: number) =>
    windows.some((window) => fromMs <= window.toMs && toMs >= window.fromMs);

  return {
    /** Opens a window, and returns what closes it after `recoveryMs`. */
    openWindow(): (recoveryMs: number) => void {
      const window = { fromMs: performance.now(), toMs: Number.POSITIVE_INFINITY };
      windows.push(window);
      return (recoveryMs) => {
        window.toMs = performance.now() + recoveryMs;
      };
    },
    add(kind: string, intendedMs: number): void {
      const endMs = performance.now();
      const durations = kinds.get(kind) ?? { quietMs: [], faultyMs: [] };
      kinds.set(kind, durations);
      durations[meetsFault(intendedMs, endMs) ? 'faultyMs' : 'quietMs'].push(endMs - intendedMs);
    },
    /** Counts an attempt without an answer, or with one from 500 on. It is repeated. */
    fail(reason: string, startedMs: number): void {
      const counts = meetsFault(startedMs, performance.now()) ? failures.inWindows : failures.outside;
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    },
    failures,
    /** Forgets everything so far, such as a warm-up. */
    reset(): void {
      kinds.clear();
      failures.inWindows.clear();
      failures.outside.clear();
    },
    rows(): KindRow[] {
      return [...kinds].map(([kind, { quietMs, faultyMs }]) => ({
        kind,
        count: quietMs.length + faultyMs.length,
        quiet: percentilesOf(quietMs),
        faulty: { ...percentilesOf(faultyMs), count: faultyMs.length },
      }));
    },
  };
}

function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((left, right) => left - right);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), p999: percentile(sorted, 0.999) };
}
