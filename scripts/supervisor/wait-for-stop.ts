/** How often a program looks whether the npm that started it is still there; milliseconds. */
const parentLookMs = 1_000;

/** One Ctrl-C arrives twice: from the terminal, and from npm, which passes on its own. Later ones are impatience. */
const echoMs = 1_000;

/**
 * Settles at the first SIGINT, SIGTERM or SIGHUP; later ones are told to `onImpatience`. It also settles when the
 * program was started by `npm <script>` and that npm has died: a killed npm cannot pass anything on.
 */
export function waitForStop(script: string, onImpatience: () => void): Promise<string> {
  return new Promise((resolve) => {
    let stoppedAtMs: number | undefined;
    const stop = (reason: string): void => {
      if (stoppedAtMs === undefined) {
        stoppedAtMs = performance.now();
        resolve(reason);
      } else if (performance.now() - stoppedAtMs > echoMs) {
        onImpatience();
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));

    if (process.env.npm_lifecycle_event !== script) return;
    const parent = process.ppid;
    const look = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(look);
      stop('its parent has ended');
    }, parentLookMs);
    look.unref();
  });
}
