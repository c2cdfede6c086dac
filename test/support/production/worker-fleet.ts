import { openOnce } from '../jest.ts';
import { freeze, killStartedPrograms, type Program, startProductProcess } from '../processes/process-control.ts';

/** A fault of one process of a fleet. `forMs`: how long a suspended process stands still. */
export type FleetFault = { kind: 'kill' | 'freeze'; member: number; forMs: number };

export type WorkerFleet = Awaited<ReturnType<typeof openFleet>>;

/** Starts worker processes that a test kills and suspends. `environment` is read when they start. */
export function startWorkerFleet(size: number, environment: () => Record<string, string | undefined>): WorkerFleet {
  return openOnce(() => openFleet(size, environment()));
}

async function openFleet(size: number, environment: Record<string, string | undefined>) {
  const start = () => startProductProcess('workers/main.ts', environment);
  const members: (Program | null)[] = await Promise.all(Array.from({ length: size }, start));
  const busy = new Set<Promise<void>>();

  async function replace({ member }: FleetFault, killed: Program): Promise<void> {
    members[member] = null;
    killed.kill('SIGKILL');
    await killed.ended;
    members[member] = await start();
  }

  async function suspend({ member, forMs }: FleetFault, suspended: Program): Promise<void> {
    members[member] = null;
    const resume = freeze(suspended.pid);
    await new Promise((resolve) => setTimeout(resolve, forMs));
    resume();
    members[member] = suspended;
  }

  return {
    /** Applies a fault, unless its process is down or suspended already. */
    strike(fault: FleetFault): void {
      const program = members[fault.member];
      if (!program) return;
      const ending = fault.kind === 'kill' ? replace(fault, program) : suspend(fault, program);
      busy.add(ending);
      void ending.finally(() => busy.delete(ending));
    },
    /** Waits until all processes run. */
    settled: async () => void (await Promise.all(busy)),
    async close(): Promise<void> {
      await Promise.allSettled(busy);
      await killStartedPrograms();
    },
  };
}
