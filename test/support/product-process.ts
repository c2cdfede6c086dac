import { join } from 'node:path';
import { type Program, startNode } from './process-control.ts';
import { gatherOutput } from './suite-log.ts';

const root = join(import.meta.dirname, '../..');

/** Starts `api/server.ts` or `workers/main.ts` as a process of its own, and waits until it serves. */
export async function startProductProcess(
  entry: 'api/server.ts' | 'workers/main.ts',
  environment: Record<string, string | undefined>,
): Promise<Program> {
  const program = startNode([join(root, entry)], { cwd: root, environment });
  // Whatever becomes of it, what it said is searched for secrets.
  void program.ended.then(() => gatherOutput(program.output()));
  await program.waitForLine(/^ready$/, { withinMs: 20_000 });
  return program;
}
