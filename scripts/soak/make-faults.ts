import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.ts';
import type { SoakCustomers } from './customers.ts';
import type { FaultKind, PlannedFault } from './fault-plan.ts';
import type { Installation } from './installation.ts';
import type { SoakReceiver } from './receiver.ts';
import type { RequestLog } from './request-log.ts';

export type FaultDeps = {
  installation: Installation;
  receiver: SoakReceiver;
  customers: SoakCustomers;
  caller: Caller;
  log: RequestLog;
  report: (line: string) => void;
  signal: AbortSignal;
};

/** What a fault was, and how long the program or receiver was away. */
export type MadeFault = PlannedFault & { awayS: number };

/** Requests this long after the end of a fault still count as disturbed by it. */
const recoveryMs = 10_000;

/** Makes the planned faults, at their times from now on. */
export async function makeFaults(plan: readonly PlannedFault[], deps: FaultDeps): Promise<MadeFault[]> {
  const startMs = performance.now();
  const made: MadeFault[] = [];
  for (const fault of plan) {
    const waitMs = startMs + fault.atS * 1_000 - performance.now();
    await sleep(Math.max(0, waitMs), undefined, { signal: deps.signal }).catch(() => {});
    if (deps.signal.aborted) break;
    const closeWindow = deps.log.openWindow();
    const faultMs = performance.now();
    await acts[fault.kind](deps, fault.forS);
    const awayS = (performance.now() - faultMs) / 1_000;
    closeWindow(recoveryMs);
    deps.report(`fault at ${fault.atS} s: ${fault.kind}, away for ${awayS.toFixed(1)} s`);
    made.push({ ...fault, awayS });
  }
  return made;
}

/** The first process of each kind is killed. The second lives on, so that its memory is measured over the whole run. */
const kill = (name: string) => async (deps: FaultDeps, forS: number) =>
  await deps.installation.programs.find((program) => program.name === name)?.kill(forS);

const misbehave = (behaviour: 'hangs' | 'fails') => async (deps: FaultDeps, forS: number) => {
  const [{ name } = { name: '' }] = deps.customers.test;
  deps.receiver.behave(name, behaviour);
  await sleep(forS * 1_000, undefined, { signal: deps.signal }).catch(() => {});
  deps.receiver.behave(name, 'answers');
};

const acts: Record<FaultKind, (deps: FaultDeps, forS: number) => Promise<void>> = {
  worker: kill('workers 1'),
  api: kill('API 1'),
  mongodb: kill('MongoDB'),
  redis: kill('Redis'),
  'object store': kill('Object store'),
  'hanging receiver': misbehave('hangs'),
  'failing receiver': misbehave('fails'),
  connections: async ({ caller }) => void caller.resetConnections(),
};
