/** Watches this process until `stop`, which returns the longest time in ms for which its timers had to wait. */
export function watchPauses() {
  let [lastMs, longestMs] = [performance.now(), 0];
  const look = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  const timer = setInterval(look, 10);
  let isOver = false;
  const stop = () => {
    if (!isOver) look();
    isOver = true;
    clearInterval(timer);
    return longestMs;
  };
  return { stop };
}
