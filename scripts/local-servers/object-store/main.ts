import { setFlagsFromString } from 'node:v8';
import { type ObjectStoreOptions, startObjectStore } from './start-object-store.ts';
import { watchParent } from './watch-parent.ts';

// Upload chunks are short-lived, but make V8 grow its young generation. At a fixed size, memory grew by 3 to 7 MB
// instead of 7 to 26 MB over twenty uploads of 20 MB, at the same speed.
setFlagsFromString('--semi-space-growth-factor=1');

/** The variable OBJECT_STORE, as JSON. The process ends with its parent. */
export type ObjectStoreProcess = ObjectStoreOptions & { parentPid: number };

/** Runs the embedded object store. Prints `ready`, and exits on SIGTERM or when the parent process has ended. */
async function main(): Promise<void> {
  const { parentPid, ...options }: ObjectStoreProcess = JSON.parse(process.env.OBJECT_STORE ?? '{}');
  // First, in case the parent dies during startup.
  watchParent(parentPid, () => process.exit(0));
  // A dead parent has closed the pipes, and an unhandled EPIPE would crash this process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  const store = await startObjectStore(options);
  process.once('SIGTERM', () => void store.close().then(() => process.exit(0)));
  // Ctrl-C reaches the whole process group. The SIGTERM of the parent follows the end of all clients.
  process.on('SIGINT', () => undefined);
  process.stdout.write('ready\n');
}

function explain(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return 'The port of the object store is in use: end the program that uses it.';
  if (error.code === 'EACCES') return 'The object store may not write to its folder, or not listen on that port.';
  if (error.code === 'ENOSPC') return 'The disk of the object store is full: free some space.';
  return error.message;
}

main().catch((error) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
