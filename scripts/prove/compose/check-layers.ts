import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { copyClone } from '../copy-clone.ts';
import { runCommand } from '../run-command.ts';
import type { Installation } from './installation.ts';
import { requireSameFiles } from './require-same-files.ts';

const SavedImages = z.tuple([z.object({ Layers: z.array(z.string()) })]);

/**
 * Builds the image again without any cache, from a clone with other times and modes, and compares both layer by layer.
 * Docker 20.10 gave equal files different digests in some builds, so layers with different digests are compared by their
 * files. Throws when a name, mode, owner or content differs.
 */
export async function checkLayers(installation: Installation): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bluejay-second-'));
  try {
    const clone = await makeFolder(folder, 'clone');
    await copyClone(clone);
    const again = await installation.buildAgain(clone);
    const [layers, others] = [await digestsOf(installation.image), await digestsOf(again)];
    if (layers.length !== others.length) {
      throw new Error(`The second image has ${others.length} layers, the first one ${layers.length}.`);
    }
    const differing = [...layers.keys()].filter((index) => layers[index] !== others[index]);
    const summary = `${layers.length - differing.length} of ${layers.length} digests are equal`;
    if (differing.length === 0) return summary;
    const [saved, savedAgain] = [await save(installation.image, 'first'), await save(again, 'second')];
    for (const index of differing) {
      const [layer, other] = [saved[index], savedAgain[index]];
      if (layer === undefined || other === undefined) throw new Error(`Docker has not saved layer ${index + 1}.`);
      await requireSameFiles(layer, other, `layer ${index + 1}`);
    }
    return `${summary}, and all files of the others`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }

  async function digestsOf(image: string): Promise<string[]> {
    return JSON.parse(await installation.docker('image', 'inspect', '--format', '{{json .RootFS.Layers}}', image));
  }

  /** Returns the paths of the archives of an image's layers. */
  async function save(image: string, name: string): Promise<string[]> {
    const path = await makeFolder(folder, name);
    const archive = join(folder, `${name}.tar`);
    await installation.docker('image', 'save', '--output', archive, image);
    await runCommand(['tar', '--extract', '--file', archive, '--directory', path]);
    await rm(archive);
    const [{ Layers: layers }] = SavedImages.parse(JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')));
    return layers.map((layer) => join(path, layer));
  }
}

async function makeFolder(parent: string, name: string): Promise<string> {
  const path = join(parent, name);
  await mkdir(path);
  return path;
}
