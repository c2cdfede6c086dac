import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import type { Log } from '#common/platform/process/log.ts';
import { readCpuMs } from '../isolation/process-usage.ts';
import type { WarmChild } from './spawn-warm-child.ts';
import { startWarmChild, type WarmPrograms } from './start-warm-child.ts';
import type { FileLimits } from './watch-usage.ts';

/** After this many files a child is replaced: what a file may have left behind ends with it. */
const defaultMaxFiles = 1_000;
/** A child that has used this much CPU time is replaced before the system's limit of 60 s ends it with a file. */
const maxChildCpuMs = 50_000;
/** After a child that did not start, none is started for this long. */
const pauseAfterFailureMs = 30_000;
/** A file whose child is not ready in this time gets a process of its own. */
const defaultMaxWaitMs = 1_000;
/** An idle child holds about 150 MB. */
const idleMs = 5 * 60_000;

/** A child, and whose file it opened last. */
export type Member = { readonly child: WarmChild; organizationId: string | null };

/** The children of a process: each is idle, or has one file. */
export type WarmMembers = {
  /** Starts a child ahead of need. */
  prepare(): void;
  /**
   * Returns an idle child for a file of this organization, or a new one; null when none can be started now, or not within
   * 1 s.
   */
  acquire(organizationId: string): Promise<Member | null>;
  release(member: Member): void;
  /** Stops all children, those with a file when they are given back. */
  close(): void;
};

export type WarmMembersOptions = {
  /** Maximum number of children (about 150 MB each). */
  maxChildren: number;
  /** Whether one child more than needed is kept ready, as far as `maxChildren` allows, so that few files wait for a start. */
  keepsSpare: boolean;
  /** `organization`: files of two organizations are never opened by the same process. */
  sharing: 'everyone' | 'organization';
  log: Log;
  /** Tests change these. */
  maxFilesPerChild?: number;
  maxWaitMs?: number;
  programs?: Partial<WarmPrograms>;
  fileLimits?: FileLimits;
  /** Starts a child of another kind than those that open PDFs. */
  startChild?: (log: Log) => Promise<WarmChild>;
};

/** Starts no child before the first file comes, and stops them after 5 min without one. */
export function createWarmMembers(options: WarmMembersOptions): WarmMembers {
  const { maxChildren, keepsSpare, sharing, maxFilesPerChild = defaultMaxFiles } = options;
  const { maxWaitMs = defaultMaxWaitMs } = options;
  const starter = createStarter(options);
  const busy = new Set<Member>();
  let idle: Member[] = [];
  let isClosed = false;
  const idleTimer = setTimeout(stopIdle, idleMs).unref();

  const isFull = () => busy.size + idle.length + starter.startingCount() >= maxChildren;

  function keep(member: Member | null): void {
    if (isClosed) member?.child.stop();
    else if (member) idle.push(member);
  }

  function prepare(): void {
    if (isClosed) return;
    void starter.start().then(keep);
  }

  /** Prefers, with `organization`, a child that the organization has used to an unused one. */
  function findIdle(organizationId: string): Member | undefined {
    if (sharing === 'everyone') return idle.at(-1);
    const usedBy = (owner: string | null) => idle.findLast((member) => member.organizationId === owner);
    return usedBy(organizationId) ?? usedBy(null);
  }

  /** Starts a child for the caller. If that takes longer than a file waits, it becomes idle when it is ready. */
  async function startInTime(): Promise<Member | null> {
    if (isClosed || starter.isPaused()) return null;
    // An idle one is of another organization, or it would have been taken.
    if (isFull()) idle.shift()?.child.stop();
    if (isFull()) return null;
    const starting = starter.start();
    const member = await withTimeout(starting, maxWaitMs, () => null);
    if (!member) void starting.then(keep);
    return member;
  }

  async function acquire(organizationId: string): Promise<Member | null> {
    idleTimer.refresh();
    idle = idle.filter(({ child }) => child.isUsable);
    const found = findIdle(organizationId);
    if (found) idle = idle.filter((member) => member !== found);
    const member = found ?? (await startInTime());
    if (member) {
      member.organizationId = organizationId;
      busy.add(member);
    }
    const hasSpare = idle.some((other) => sharing === 'everyone' || other.organizationId === null);
    if (keepsSpare && !hasSpare && !isFull()) prepare();
    return member;
  }

  function release(member: Member): void {
    busy.delete(member);
    if (isClosed || isWorn(member.child, maxFilesPerChild)) member.child.stop();
    if (member.child.isUsable) idle.push(member);
  }

  function stopIdle(): void {
    for (const { child } of idle) child.stop();
    idle = [];
  }

  function close(): void {
    isClosed = true;
    clearTimeout(idleTimer);
    stopIdle();
  }

  return {
    prepare,
    acquire,
    release,
    close,
  };
}

function isWorn({ pid, fileCount }: WarmChild, maxFiles: number): boolean {
  return fileCount >= maxFiles || (pid !== undefined && (readCpuMs(pid) ?? 0) >= maxChildCpuMs);
}

/** Starts children, and none for 30 s after one that did not start. */
function createStarter({ log, programs, fileLimits, ...options }: WarmMembersOptions) {
  const { startChild = () => startWarmChild(log, programs, fileLimits) } = options;
  let startingCount = 0;
  let pausedUntilMs = 0;
  const isPaused = () => performance.now() < pausedUntilMs;
  return {
    isPaused,
    startingCount: () => startingCount,
    async start(): Promise<Member | null> {
      if (isPaused()) return null;
      startingCount += 1;
      try {
        return { child: await startChild(log), organizationId: null };
      } catch (error) {
        pausedUntilMs = performance.now() + pauseAfterFailureMs;
        log.warn({ err: error }, 'warm document process not started');
        return null;
      } finally {
        startingCount -= 1;
      }
    },
  };
}
