import { join } from 'node:path';
import { findCacheDir } from '#scripts/local-servers/binaries/binary.ts';
import { acquireFileLock } from '#scripts/local-servers/file-lock.ts';
import { giveUp } from '../give-up.ts';
import { CannotRunHereError, type ProofContext } from '../proof.ts';
import { runCommand } from '../run-command.ts';
import type { Engine } from './engine.ts';
import { findCompose } from './find-compose.ts';
import { startEngine } from './start-engine.ts';

const answerWithinMs = 30_000;
const lockWaitMs = 60_000;

/**
 * Returns the engine that runs on this machine, or starts one of the installed packages for this run alone. One proof of a
 * user runs at a time: they would use the same names of containers, networks and images. Throws CannotRunHereError when
 * there is none.
 */
export async function findEngine({
  environment,
  report,
  signal,
}: Pick<ProofContext, 'environment' | 'report' | 'signal'>): Promise<Engine> {
  const docker = (...words: string[]) =>
    runCommand(['docker', ...words], { env: environment, withinMs: answerWithinMs, signal });
  await docker('--version').catch(() => {
    throw new CannotRunHereError('no docker on PATH');
  });
  const held = new AsyncDisposableStack();
  const lock = await acquireFileLock(join(findCacheDir(environment), 'prove', 'proof.lock'), lockWaitMs);
  if (!lock) throw new CannotRunHereError('another proof is running; wait for its end, then try again');
  held.defer(() => lock.release());
  try {
    const isRunning = await docker('info').then(
      () => true,
      () => false,
    );
    const started = isRunning ? null : await startEngine(environment, report, signal);
    if (started) held.defer(() => started.stop());
    const found = await findCompose({ ...environment, ...started?.environment }, report);
    const env = { ...environment, ...started?.environment, ...found };
    const ask = (...words: string[]) => runCommand(['docker', ...words], { env, withinMs: answerWithinMs, signal });
    const [server, compose] = [
      await ask('version', '--format', '{{.Server.Version}}'),
      await ask('compose', 'version', '--short'),
    ];
    const kind = started ? 'dockerd started for this run' : 'the running engine';
    const stop = () => held.disposeAsync();
    return { environment: env, description: `${kind}, Docker ${server}, Compose ${compose}`, stop };
  } catch (error) {
    return await giveUp(held, error, report);
  }
}
