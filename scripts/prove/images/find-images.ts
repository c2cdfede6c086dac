import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../engine/engine.ts';
import type { ProofContext } from '../proof.ts';
import { CommandError, runCommand } from '../run-command.ts';
import { buildStandIns, standIns } from './build-stand-ins.ts';

export type Images = {
  /** Variables of docker-compose.yml and of the build. */
  variables: Record<string, string>;
  /** Which ones are used, and why, for the record. */
  description: string;
};

const root = join(import.meta.dirname, '../../..');
const pullWithinMs = 180_000;
const startWithinMs = 90_000;

/**
 * Returns the images that the Dockerfile and docker-compose.yml name where all can be pulled, or builds stand-ins. Checks
 * that a container of them runs and reaches npm's registry, as the build will.
 */
export async function findImages(engine: Engine, context: Pick<ProofContext, 'report' | 'signal'>): Promise<Images> {
  const { report, signal } = context;
  const docker = (words: string[], withinMs: number) =>
    runCommand(['docker', ...words], { env: engine.environment, withinMs, signal });
  const named = await readNames();
  let images: Images = {
    variables: {},
    description: 'those that the Dockerfile and docker-compose.yml name by digest, pulled',
  };
  try {
    for (const name of named) {
      report(`Pulling ${name.replace(/@.*/, '')} …`);
      await docker(['pull', '--quiet', name], pullWithinMs);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CommandError)) throw error;
    report(`It cannot be pulled: ${error.message.split('\n').at(-1)}`);
    const versions = await buildStandIns(engine, context);
    const description = `stand-ins (${versions}), because not all could be pulled`;
    images = { variables: { ...standIns }, description };
  }
  const [node = ''] = Object.values(images.variables).length > 0 ? [standIns.NODE_IMAGE] : named;
  await docker(['run', '--rm', '--entrypoint', 'npm', node, 'view', 'npm', 'version'], startWithinMs);
  return images;
}

/** First the one of Node.js. */
async function readNames(): Promise<string[]> {
  const dockerfile = await readFile(join(root, 'scripts/deploy/Dockerfile'), 'utf8');
  const compose = await readFile(join(root, 'docker-compose.yml'), 'utf8');
  const nodes = dockerfile.matchAll(/^ARG NODE_IMAGE=(\S+)$/gm);
  const others = compose.matchAll(/\$\{[A-Z]+_IMAGE:-([^}]+)\}/g);
  return [...new Set([...nodes, ...others].map(([, name]) => name ?? ''))];
}
