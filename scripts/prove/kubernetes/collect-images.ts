import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyClone } from '../copy-clone.ts';
import { findEngine } from '../engine/find-engine.ts';
import { findImages } from '../images/find-images.ts';
import type { ProofContext } from '../proof.ts';
import { runCommand } from '../run-command.ts';

/** Under these names they are in the cluster, see stores.yaml and values.yaml. */
const product = 'bluejay-proof/product:1';
const pause = 'bluejay-proof/pause:1';
const stores = {
  MONGODB_IMAGE: 'bluejay-proof/mongodb:1',
  REDIS_IMAGE: 'bluejay-proof/redis:1',
  STORE_IMAGE: 'bluejay-proof/store:1',
} as const;
const composeFile = join(import.meta.dirname, '../../../docker-compose.yml');
const commandWithinMs = 900_000;

export const pauseImage = `docker.io/${pause}`;

/**
 * Builds the image of this working tree by Docker, and writes it with those of the stores to one archive. A Docker engine
 * that was started for it has ended then. Returns which images they are, for the record.
 */
export async function collectImages(
  archive: string,
  { environment, report, signal }: Pick<ProofContext, 'environment' | 'report' | 'signal'>,
): Promise<string[]> {
  const engine = await findEngine({ environment, report, signal });
  const clone = await mkdtemp(join(tmpdir(), 'bluejay-clone-'));
  try {
    const images = await findImages(engine, { report, signal });
    const env = { ...engine.environment, ...images.variables, CLONE: clone };
    const docker = (...words: string[]) => runCommand(['docker', ...words], { env, withinMs: commandWithinMs });
    await copyClone(clone);
    report('Building the image …');
    await docker('compose', '--file', join(import.meta.dirname, 'product.yml'), 'build');
    await makePause(docker);
    for (const [variable, name] of Object.entries(stores)) {
      const given = images.variables[variable];
      const source = given ?? (await readDefault(variable));
      if (given === undefined) await docker('pull', '--quiet', source);
      await docker('tag', source, name);
    }
    report('Writing the images to an archive …');
    await docker('save', '--output', archive, product, pause, ...Object.values(stores));
    return [`Built with: ${engine.description}`, `Images: ${images.description}`];
  } finally {
    await rm(clone, { recursive: true, force: true });
    await engine.stop();
  }
}

/** An image whose process does nothing: each pod has one, which holds its network. */
async function makePause(docker: (...words: string[]) => Promise<string>): Promise<void> {
  const container = await docker('create', product);
  try {
    const changes = ['USER 0', 'CMD []', 'ENTRYPOINT ["/bin/sleep", "infinity"]'];
    await docker('commit', ...changes.flatMap((change) => ['--change', change]), container, pause);
  } finally {
    await docker('rm', container);
  }
}

/** Returns the image that docker-compose.yml takes without the variable. */
async function readDefault(variable: string): Promise<string> {
  const text = await readFile(composeFile, 'utf8');
  const image = new RegExp(`\\$\\{${variable}:-([^}]+)\\}`).exec(text)?.[1];
  if (!image) throw new Error(`docker-compose.yml names no image for ${variable}.`);
  return image;
}
