import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { startObjectStore } from './start-object-store.ts';
import { watchParent } from './watch-parent.ts';

// Upload chunks are short-lived, but make V8 grow its young generation. At a fixed size, memory grew by 3 to 7 MB
// instead of 7 to 26 MB over twenty uploads of 20 MB, at the same speed.
setFlagsFromString('--semi-space-growth-factor=1');

/** Runs the embedded object store. Prints `ready`, and exits on SIGTERM or when the parent process has ended. */
async function main(): Promise<void> {
  const { parent, ...options } = readOptions();
  // First, in case the parent dies during startup.
  if (parent !== undefined) watchParent(parent, () => process.exit(0));
  // A dead parent has closed the pipes, and an unhandled EPIPE would crash this process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  const store = await startObjectStore(options);
  const stop = () => void store.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  // Ctrl-C reaches the whole process group. With a parent, wait for its SIGTERM, which follows the end of all clients.
  process.on('SIGINT', parent === undefined ? stop : () => undefined);
  process.stdout.write('ready\n');
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      dir: { type: 'string' },
      bucket: { type: 'string', default: 'bluejay' },
      'access-key': { type: 'string' },
      region: { type: 'string', default: 'us-east-1' },
      parent: { type: 'string' },
    },
  });
  const { dir, bucket, host, region, 'access-key': accessKeyId } = values;
  // Not an argument, because every user of the machine can list those.
  const secretAccessKey = process.env.OBJECT_STORE_SECRET_KEY;
  if (!dir) throw new Error('--dir is missing: name the folder for the objects.');
  if (!accessKeyId) throw new Error('--access-key is missing.');
  if (!secretAccessKey) throw new Error('OBJECT_STORE_SECRET_KEY is missing from the environment.');
  const parent = values.parent === undefined ? undefined : wholeNumber('--parent', values.parent);

  return { dir, bucket, host, region, accessKeyId, secretAccessKey, port: wholeNumber('--port', values.port), parent };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${name} takes a whole number, not "${text}".`);
  return Number(text);
}

function explain(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return 'The port of the object store is in use: choose another with --port.';
  if (error.code === 'EACCES') return 'The object store may not write to its folder, or not listen on that port.';
  if (error.code === 'ENOSPC') return 'The disk of the object store is full: free some space.';
  return error.message;
}

main().catch((error) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
