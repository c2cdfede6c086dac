import type { KeptProcess } from '#scripts/local-servers/keeper/start-keeper.ts';

type Server = { port: number; process: KeptProcess; restart(): Promise<KeptProcess> };

/** A server of a replicated store that a test kills, suspends and brings back. */
export function openMember({ port, process: first, restart }: Server) {
  let running = first;
  let isSuspended = false;
  return {
    port,
    /** Ends the server as a power failure of its machine does. Its data stays on disk. */
    async kill(): Promise<void> {
      process.kill(running.pid, 'SIGKILL');
      await running.ended;
    },
    /** Suspends the server: its connections stay open, and it answers nothing. */
    freeze(): void {
      process.kill(running.pid, 'SIGSTOP');
      isSuspended = true;
    },
    /** Lets a suspended server go on. */
    wake(): void {
      if (isSuspended) process.kill(running.pid, 'SIGCONT');
      isSuspended = false;
    },
    /** Starts a killed server on its data and address. */
    async start(): Promise<void> {
      running = await restart();
    },
  };
}
