import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inParallel } from '#common/platform/concurrency/in-parallel.ts';
import { runCommand } from './run-command.ts';

const root = join(import.meta.dirname, '../..');

/** Copies what a clone of this working tree would contain: no ignored files, so no .env and no node_modules. */
export async function copyClone(target: string): Promise<void> {
  const list = ['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const deleted = ['git', 'ls-files', '-z', '--deleted'];
  const read = async (words: string[]) =>
    (await runCommand(words, { cwd: root })).split('\0').filter((file) => file !== '');
  const gone = new Set(await read(deleted));
  await inParallel(
    (await read(list)).filter((file) => !gone.has(file)),
    async (file) => {
      await mkdir(dirname(join(target, file)), { recursive: true });
      await cp(join(root, file), join(target, file));
    },
  );
}
