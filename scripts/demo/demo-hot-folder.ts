import { join } from 'node:path';

/** Returns the hot folder of `npm start`. No print system takes batches from it. */
export function demoHotFolder(dataDir: string): string {
  return join(dataDir, 'press');
}
