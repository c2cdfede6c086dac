import { Counter, type Registry } from 'prom-client';
import type { WarmAnswer, WarmRequest } from './warm-frames.ts';
import { createWarmMembers, type WarmMembersOptions } from './warm-members.ts';

/** Larger files get a process of their own. */
export const maxWarmBytes = 1024 * 1024;

export type WarmPoolOptions = WarmMembersOptions & { registry?: Registry };

export type WarmResult = Pick<WarmAnswer, 'value' | 'bytes'>;

/** `wallMs`: how long a process had the file. */
export type WarmRun = { result: WarmResult | null; wallMs: number };

/**
 * Processes that open small PDFs, each one file after the other, behind the fences of all document processes. They
 * never decide that a file is faulty: anything but an orderly result is null, and the caller opens the file in a process
 * of its own, which decides.
 */
export type WarmPool = {
  /** Starts the first child ahead of need. */
  prepare(): void;
  /** `organizationId`: whose file it is. Throws only the signal's reason. */
  run(request: WarmRequest, organizationId: string, signal: AbortSignal): Promise<WarmRun>;
  close(): void;
};

/** Creates the pool of a process. Returns null for `none`: every file then gets a process of its own. */
export function openWarmPool({
  sharing,
  ...options
}: Omit<WarmPoolOptions, 'sharing'> & { sharing: WarmPoolOptions['sharing'] | 'none' }): WarmPool | null {
  return sharing === 'none' ? null : createWarmPool({ ...options, sharing });
}

export function createWarmPool(options: WarmPoolOptions): WarmPool {
  const members = createWarmMembers(options);
  const count = countFiles(options.registry);
  return {
    prepare: members.prepare,
    async run(request, organizationId, signal) {
      signal.throwIfAborted();
      const member = await members.acquire(organizationId);
      if (!member) {
        count('unavailable');
        return { result: null, wallMs: 0 };
      }
      const startedAtMs = performance.now();
      try {
        const answer = await member.child.ask(request, signal);
        count(answer?.outcome ?? 'lost');
        const result = answer?.outcome === 'done' ? answer : null;
        return { result, wallMs: performance.now() - startedAtMs };
      } finally {
        members.release(member);
      }
    },
    close: members.close,
  };
}

type Outcome = WarmAnswer['outcome'] | 'lost' | 'unavailable';

function countFiles(registry: Registry | undefined): (outcome: Outcome) => void {
  if (!registry) return () => {};
  const counter = new Counter({
    name: 'warm_document_files_total',
    help: 'Files given to warm document processes, by outcome. All but `done` are opened again in a process of their own.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return (outcome) => counter.inc({ outcome });
}
