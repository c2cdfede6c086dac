import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Refusal } from './failure.ts';

/** A stored login. */
export type Profile = { url: string; apiKey: string };
export type Profiles = Record<string, Profile>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the path of the config file, where the operating system expects it. */
export function configPath(env: Environment, platform: string = process.platform): string {
  const home = env.HOME || homedir();
  const folders: Record<string, string> = {
    darwin: join(home, 'Library/Application Support'),
    win32: env.APPDATA || join(home, 'AppData/Roaming'),
  };
  return join(env.XDG_CONFIG_HOME || (folders[platform] ?? join(home, '.config')), 'bluejay/config.json');
}

/** Returns all logins. Throws Refusal for a damaged file. */
export async function readProfiles(path: string): Promise<Profiles> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    const { profiles = {} } = JSON.parse(text) as { profiles?: Record<string, Partial<Profile>> };
    // Without a prototype, because a user may name a profile `constructor`.
    const found: Profiles = Object.create(null);
    for (const [name, { url, apiKey }] of Object.entries(profiles)) {
      if (typeof url !== 'string' || typeof apiKey !== 'string') throw new TypeError(name);
      found[name] = { url, apiKey };
    }
    return found;
  } catch {
    throw new Refusal(`The file ${path} is damaged.`, {
      code: 'CONFIG_DAMAGED',
      next: 'Remove it, then run bluejay login.',
    });
  }
}

/** Writes all logins, readable by their user only. The old file stays complete until the new one replaces it. */
export async function writeProfiles(path: string, profiles: Profiles): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
