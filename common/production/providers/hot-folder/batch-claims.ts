import { lstat, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreErrors } from '#common/platform/drop-folder/ignore-errors.ts';
import { folderMode } from '#common/platform/drop-folder/prepare-folder.ts';
import { onPath } from './hot-folder-error.ts';
import { pathsOf, syncFolder, tokenOf, tokenPattern } from './hot-folder-paths.ts';

// The claim of a batch is the folder `.published/<batchId>` with one entry: the token of the folder that it belongs to. It
// stays for ever, because the print system may take the batch out of `out` at any time. A claim whose folder is no longer in
// `.incoming` says that the batch was handed over. The claim starts inside the folder and is moved by a rename. That fails
// when there is a claim already, and when the folder was discarded.

const ownClaim = '.claim';

/**
 * Returns whether a batch was handed over to the print system, also when that has taken its folder out of `out` since. Throws
 * a HotFolderError when the hot folder is not there: a share that is not mounted says nothing about a batch.
 */
export async function findPublished(root: string, batchId: string): Promise<'published' | 'absent'> {
  const { incoming, claims, out, claim, published, folderOf, discardedOf } = pathsOf(root, batchId);
  for (const folder of [incoming, claims, out]) await onPath(folder, () => stat(folder));
  if (await exists(published)) return 'published';
  const token = await readClaim(claim);
  if (token === null) return 'absent';
  if ((await exists(folderOf(token))) || (await exists(discardedOf(token)))) return 'absent';
  // `discardFolders` of another process may just have removed the folder. It removes the claim before.
  return (await readClaim(claim)) === token ? 'published' : 'absent';
}

/** Puts the claim of a new folder into it. */
export async function addClaim(folder: string, token: string): Promise<void> {
  const path = join(folder, ownClaim);
  await onPath(path, () => mkdir(join(path, token), { recursive: true, mode: folderMode }));
  await onPath(path, () => syncFolder(path));
}

/** Claims a batch for a folder. Returns false when the batch is claimed already, or the folder was discarded. */
export async function takeClaim(root: string, batchId: string, token: string): Promise<boolean> {
  const { claim, claims, folderOf } = pathsOf(root, batchId);
  const own = join(folderOf(token), ownClaim);
  const isTaken = await onPath(claim, () => succeeds(rename(own, claim), ['ENOTEMPTY', 'EEXIST', 'ENOENT']));
  for (const path of [folderOf(token), claims]) if (isTaken) await onPath(path, () => syncFolder(path));
  return isTaken;
}

/**
 * Removes what processes have left in `.incoming` of this batch, and their claim. What they have not published by now they
 * cannot publish any more. A published batch stays. The caller must be the only one that writes this batch.
 */
export async function discardStale(root: string, batchId: string): Promise<void> {
  const { incoming } = pathsOf(root, batchId);
  const names = await onPath(incoming, () => readdir(incoming));
  await discardFolders(
    root,
    batchId,
    names.map((name) => tokenOf(name, batchId)).filter((token) => token !== null),
  );
}

/**
 * Removes folders of a batch in `.incoming`. Renames them first: after that their writers cannot publish them, and after a
 * crash at any step the batch is still known as absent.
 */
export async function discardFolders(root: string, batchId: string, tokens: readonly string[]): Promise<void> {
  const { incoming, claims, claim, folderOf, discardedOf } = pathsOf(root, batchId);
  for (const token of new Set(tokens)) {
    const path = discardedOf(token);
    await onPath(path, () => succeeds(rename(folderOf(token), path), ['ENOENT']));
    if (!(await exists(path))) continue;
    await onPath(incoming, () => syncFolder(incoming));
    // Removes the claim of this folder only: another folder may have claimed the batch.
    await onPath(claim, () => succeeds(rmdir(join(claim, token)), ['ENOENT']));
    await onPath(claim, () => succeeds(rmdir(claim), ['ENOENT', 'ENOTEMPTY', 'EEXIST']));
    await onPath(claims, () => syncFolder(claims));
    await onPath(path, () => rm(path, { recursive: true, force: true }));
  }
}

/** Returns the token of the folder that has claimed the batch. */
async function readClaim(claim: string): Promise<string | null> {
  const names = await onPath(claim, () => ignoreErrors(['ENOENT'], readdir(claim)));
  return names?.find((name) => tokenPattern.test(name)) ?? null;
}

async function exists(path: string): Promise<boolean> {
  return await onPath(path, () => succeeds(lstat(path), ['ENOENT']));
}

/** Returns whether an operation succeeds. Errors with other codes than these are thrown. */
async function succeeds(operation: Promise<unknown>, codes: readonly string[]): Promise<boolean> {
  return await ignoreErrors(
    codes,
    operation.then(() => true),
  ).then((result) => result === true);
}
