/** One check of a proof that has passed. */
export type PassedCheck = { name: string; seconds: number; detail: string };

export type Checklist = {
  passed: PassedCheck[];
  /**
   * Runs one check, prints its name, time and detail, and records them. A check fails by an exception, which ends the
   * proof. `work` may return a detail: what it has measured or found.
   */
  check(name: string, work: () => Promise<string | undefined> | Promise<void>): Promise<void>;
};

/** Begins a list of checks. `report` prints one line. After `signal`, the next check fails. */
export function beginChecklist(report: (line: string) => void, signal: AbortSignal): Checklist {
  const passed: PassedCheck[] = [];
  return {
    passed,
    async check(name, work) {
      signal.throwIfAborted();
      const startMs = performance.now();
      const secondsSince = () => Number(((performance.now() - startMs) / 1_000).toFixed(1));
      try {
        const detail = (await work()) ?? '';
        passed.push({ name, seconds: secondsSince(), detail });
        report(`✓ ${name} (${secondsSince()} s)${detail && `: ${detail}`}`);
      } catch (error) {
        report(`✗ ${name} (${secondsSince()} s)`);
        throw error;
      }
    },
  };
}
