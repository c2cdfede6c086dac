import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the bytes of all buffers that something still refers to. Not resident memory, which depends on earlier tests. */
export function heldBytes(): number {
  collectGarbage();
  // The first frees its buffers in the background, and the second waits for that.
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
