import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { startObjectStore } from './start-object-store.ts';
import { watchParent } from './watch-parent.ts';

// Chunks of uploads die young, but keep the young generation growing. Held at its first size, memory rose by 3 to 7 MB
// instead of 7 to 26 MB over twenty uploads of 20 MB, at the same speed.
setFlagsFromString('--semi-space-growth-factor=1');

/** The embedded object store as a process of its own: prints `ready`, ends on SIGTERM or when its parent is gone. */
async function main(): Promise<void> {
  const { parent, ...options } = readOptions();
  // First: a parent that dies while we start must not leave us behind.
  if (parent !== undefined) watchParent(parent, () => process.exit(0));
  // A parent that is gone has closed the other end; writing there is not worth dying for.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  const store = await startObjectStore(options);
  const stop = () => void store.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  // Ctrl-C reaches a whole process group; who has a parent stops when that one says so, after the processes it serves.
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
  // Not an argument: arguments are shown to every user of the machine.
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
