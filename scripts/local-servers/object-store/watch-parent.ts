const intervalMs = 500;

/**
 * Calls `onGone` once, within a second, after the process `parentPid` has ended, by whatever means.
 * The watch does not keep this process alive.
 */
export function watchParent(parentPid: number, onGone: () => void): void {
  // A killed parent that nobody buries keeps its number, and a number may be given to another process:
  // of one's own parent it is surer to see that one has been handed on.
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
    // Another user's process cannot be signalled, but is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
