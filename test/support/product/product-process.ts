import { join } from 'node:path';
import { type Program, startNode } from '../processes/process-control.ts';
import { gatherOutput } from './suite-log.ts';

const root = join(import.meta.dirname, '../../..');

/** Starts `api/server.ts` or `workers/main.ts` as a separate process, and waits for the line `ready`. */
export async function startProductProcess(
  entry: 'api/server.ts' | 'workers/main.ts',
  environment: Record<string, string | undefined>,
): Promise<Program> {
  const program = startNode([join(root, entry)], { cwd: root, environment });
  // The output is searched for secrets at the end of the test run.
  void program.ended.then(() => gatherOutput(program.output()));
  await program.waitForLine(/^ready$/, { withinMs: 60_000 });
  return program;
}
