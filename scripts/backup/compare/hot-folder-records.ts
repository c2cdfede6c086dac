import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreErrors } from '#common/platform/drop-folder/ignore-errors.ts';
import { BatchManifest, paperFiles } from '#common/production/providers/hot-folder/batch-manifest.schema.ts';
import { batchIdPattern, folderNames } from '#common/production/providers/hot-folder/hot-folder-paths.ts';
import { parsePrintResults } from '#common/production/providers/hot-folder/print-results.schema.ts';
import { OperatorError } from '#scripts/program/operator-error.ts';

export type ManifestItem = { itemId: string; trackingNumber?: string | undefined };

/** Returns the ids of the batches that were ever handed over: each leaves a claim for ever. */
export async function listHandedOver(hotFolder: string): Promise<string[]> {
  const names = await Promise.all([folderNames.claims, folderNames.out].map((name) => list(join(hotFolder, name))));
  return [...new Set(names.flat())].filter((name) => batchIdPattern.test(name)).sort();
}

async function list(folder: string): Promise<string[]> {
  const names = await ignoreErrors(['ENOENT', 'ENOTDIR'], readdir(folder));
  if (names) return names;
  throw new OperatorError(`There is no folder ${folder}: mount the hot folder, or name the right one by HOT_FOLDER.`);
}

/** Returns the items of a batch. Null when its manifest is gone, or is none: the print system may write to the folder. */
export async function readManifestItems(hotFolder: string, batchId: string): Promise<ManifestItem[] | null> {
  const path = join(hotFolder, folderNames.out, batchId, paperFiles.manifest);
  const text = await ignoreErrors(['ENOENT', 'ENOTDIR'], readFile(path, 'utf8'));
  const parsed = BatchManifest.safeParse(parseJson(text ?? ''));
  return parsed.success ? parsed.data.files : null;
}

/** Returns the items of each batch in the result files that were written, for batches whose manifest is gone. */
export async function readReportedItems(hotFolder: string): Promise<Map<string, ManifestItem[]>> {
  const itemsOf = new Map<string, ManifestItem[]>();
  for (const folder of [folderNames.results, folderNames.done]) {
    for (const name of await list(join(hotFolder, folder))) {
      if (!name.endsWith('.json')) continue;
      const parsed = parsePrintResults(parseJson(await readFile(join(hotFolder, folder, name), 'utf8')));
      // The workers refuse the others, too.
      if (!('results' in parsed) || !('items' in parsed.results)) continue;
      const { batchId, items } = parsed.results;
      itemsOf.set(batchId, [...(itemsOf.get(batchId) ?? []), ...items]);
    }
  }
  return itemsOf;
}

/** Returns null for text that is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
