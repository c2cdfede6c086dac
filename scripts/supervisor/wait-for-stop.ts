import { watchParent } from '../local-servers/object-store/watch-parent.ts';

/** One Ctrl-C arrives twice within this time: from the terminal, and forwarded by npm. */
const echoMs = 1_000;

/**
 * Settles at the first SIGINT, SIGTERM or SIGHUP. Calls `onRepeat` for a later signal. Also settles when the npm
 * process that runs this script has ended, because a killed npm cannot forward signals.
 */
export function waitForStop(script: string, onRepeat: () => void): Promise<string> {
  return new Promise((resolve) => {
    let stoppedAtMs: number | undefined;
    const stop = (reason: string): void => {
      if (stoppedAtMs === undefined) {
        stoppedAtMs = performance.now();
        resolve(reason);
      } else if (performance.now() - stoppedAtMs > echoMs) {
        onRepeat();
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));

    // `test:unit` too, for the script `test`.
    const [runScript] = process.env.npm_lifecycle_event?.split(':') ?? [];
    if (runScript === script) watchParent(process.ppid, () => stop('its parent has ended'));
  });
}
