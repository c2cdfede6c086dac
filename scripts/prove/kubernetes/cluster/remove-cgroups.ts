import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';
/** containerd's fixed name for what Kubernetes runs. Another containerd of this machine may use it too. */
const parent = 'k8s.io';
const kinds = ['containers', 'sandboxes'];

/**
 * Removes the cgroups of the containers that this containerd had: no namespace hides them, and nothing removes them after
 * a kill. Knows them by the folders in which it kept their state. Returns whether all are gone.
 */
export async function removeCgroups(containerdRoot: string): Promise<boolean> {
  const ids: string[] = [];
  for (const kind of kinds) {
    ids.push(...(await readdir(join(containerdRoot, 'io.containerd.grpc.v1.cri', kind)).catch(() => [])));
  }
  // One hierarchy in version 2 of cgroups, one for each controller in version 1.
  const hierarchies = [root, ...(await readdir(root)).map((name) => join(root, name))];
  let areGone = true;
  for (const hierarchy of hierarchies) {
    for (const id of ids) areGone = (await remove(join(hierarchy, parent, id))) && areGone;
    // Stays if another one uses it.
    await rmdir(join(hierarchy, parent)).catch(() => {});
  }
  return areGone;
}

/** Removes a cgroup with those below it, once they have no process. Returns false while they have. */
async function remove(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (!entries) return true;
  for (const entry of entries) if (entry.isDirectory()) await remove(join(folder, entry.name));
  return await rmdir(folder).then(
    () => true,
    () => false,
  );
}
