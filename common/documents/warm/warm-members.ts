import type { Log } from '#common/platform/process/log.ts';
import { startWarmChild, type WarmChild, type WarmPrograms } from './start-warm-child.ts';

/** After this many files a child is replaced: what a file may have left behind ends with it. */
const defaultMaxFiles = 1_000;
/** After a child that did not start, none is started for this long. */
const pauseAfterFailureMs = 30_000;
/** An idle child holds about 150 MB. */
const idleMs = 5 * 60_000;

/** A child, and whose file it opened last. */
export type Member = { readonly child: WarmChild; organizationId: string | null };

/** The children of a process: each is idle, or has one file. */
export type WarmMembers = {
  /** Starts a child ahead of need. */
  prepare(): void;
  /** Returns an idle child for a file of this organization, or a new one; null when none can be started now. */
  take(organizationId: string): Promise<Member | null>;
  giveBack(member: Member): void;
  /** Stops all children, those with a file when they are given back. */
  close(): void;
};

export type WarmMembersOptions = {
  /** Most children, of which each has about 150 MB. */
  maxChildren: number;
  /** Whether one child more than needed is kept ready while files come, so that nobody waits for a start. */
  keepsSpare: boolean;
  /** `organization`: files of two organizations are never opened by the same process. */
  sharing: 'everyone' | 'organization';
  log: Log;
  /** Tests change these. */
  maxFilesPerChild?: number;
  programs?: Partial<WarmPrograms>;
};

/** Starts no child before the first file comes, and stops them after 5 min without one. */
export function createWarmMembers(options: WarmMembersOptions): WarmMembers {
  const { maxChildren, keepsSpare, sharing, log, maxFilesPerChild = defaultMaxFiles, programs } = options;
  const busy = new Set<Member>();
  let idle: Member[] = [];
  let startingCount = 0;
  let pausedUntilMs = 0;
  let isClosed = false;
  const idleTimer = setTimeout(stopIdle, idleMs).unref();

  const isSuitable = ({ organizationId }: Member, wanted: string) =>
    sharing === 'everyone' || organizationId === null || organizationId === wanted;

  async function start(): Promise<Member | null> {
    if (isClosed || performance.now() < pausedUntilMs) return null;
    startingCount += 1;
    try {
      const member = { child: await startWarmChild(log, programs), organizationId: null };
      if (!isClosed) return member;
      member.child.stop();
    } catch (error) {
      pausedUntilMs = performance.now() + pauseAfterFailureMs;
      log.warn({ err: error }, 'warm document process not started');
    } finally {
      startingCount -= 1;
    }
    return null;
  }

  async function startSpare(): Promise<void> {
    const member = await start();
    if (member && !isClosed) idle.push(member);
  }

  async function take(organizationId: string): Promise<Member | null> {
    idleTimer.refresh();
    idle = idle.filter(({ child }) => child.isUsable);
    const known = idle.findLast((member) => isSuitable(member, organizationId));
    if (known) idle = idle.filter((member) => member !== known);
    else if (busy.size + idle.length + startingCount >= maxChildren) idle.shift()?.child.stop();
    const member = known ?? (await start());
    if (member) {
      member.organizationId = organizationId;
      busy.add(member);
    }
    if (keepsSpare && idle.length === 0 && busy.size + startingCount < maxChildren) void startSpare();
    return member;
  }

  function giveBack(member: Member): void {
    busy.delete(member);
    if (isClosed || member.child.fileCount >= maxFilesPerChild) member.child.stop();
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

  return { prepare: () => void startSpare(), take, giveBack, close };
}
