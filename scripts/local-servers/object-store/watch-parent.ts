const intervalMs = 500;

/** Calls `onGone` once, within a second after the process `parentPid` has ended. Does not keep this process alive. */
export function watchParent(parentPid: number, onGone: () => void): void {
  // A zombie parent keeps its process id, and ids are reused. For our own parent, a changed ppid is the reliable sign.
  const isOwnParent = process.ppid === parentPid;
  const timer = setInterval(() => {
    if (isOwnParent ? process.ppid === parentPid : isRunning(parentPid)) return;
    clearInterval(timer);
    onGone();
  }, intervalMs);
  timer.unref();
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, but cannot be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
