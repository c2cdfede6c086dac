import { isOverWallTime, readCpuMs, readStarvedMs } from '../isolation/process-usage.ts';

const sampleEveryMs = 50;

/** Most time that a child may use for one file. */
export type FileLimits = { cpuMs: number; wallMs: number };

/**
 * Watches a child while it has one file, and calls `onLimit` with the reason when the file needs too much CPU or wall
 * time. Time in which other processes had the CPU does not count. Most files end before the first sample, so that is
 * the start of the count.
 */
export function watchUsage(
  pid: number,
  { cpuMs: maxCpuMs, wallMs: maxWallMs }: FileLimits,
  onLimit: (cause: string) => void,
): { stop(): void } {
  const startedAtMs = performance.now();
  let first: { cpuMs: number | null; starvedMs: number } | undefined;

  const timer = setInterval(() => {
    const cpuMs = readCpuMs(pid);
    first ??= { cpuMs, starvedMs: readStarvedMs(pid) };
    const { starvedMs } = first;
    const usedMs = cpuMs === null || first.cpuMs === null ? 0 : cpuMs - first.cpuMs;
    if (usedMs > maxCpuMs) return onLimit(`A file took more than ${maxCpuMs} ms of CPU time.`);
    const wallMs = performance.now() - startedAtMs;
    const isOver = isOverWallTime(wallMs, maxWallMs, () => readStarvedMs(pid) - starvedMs);
    if (isOver) onLimit(`A file took more than ${maxWallMs} ms.`);
  }, sampleEveryMs);
  return { stop: () => clearInterval(timer) };
}
