import { Bluejay } from '../sdk.ts';
import type { Context } from './command.ts';
import { configPath, readProfiles } from './config-file.ts';
import { Refusal, UsageError } from './failure.ts';

/** Where the requests of a command go, and with which key. */
export type Connection = { bluejay: Bluejay; url: string; apiKey: string; source: string };

/** Returns the name of the login that a command uses. */
export function profileName({ text, env }: Pick<Context, 'text' | 'env'>): string {
  return text('profile') ?? (env.BLUEJAY_PROFILE?.trim() || 'default');
}

/** Finds key and URL: flags, then the environment, then the config file. Throws Refusal when one is missing. */
export async function connect(context: Pick<Context, 'text' | 'env'>): Promise<Connection> {
  const { text, env } = context;
  const name = profileName(context);
  // A named profile means its own key, not that of the environment.
  const isNamed = text('profile') !== undefined;
  const stored = (await readProfiles(configPath(env)))[name];
  const environmentKey = isNamed ? undefined : env.BLUEJAY_API_KEY?.trim() || undefined;
  const apiKey = environmentKey ?? stored?.apiKey;
  if (!apiKey) {
    const login = name === 'default' ? 'bluejay login' : `bluejay login --profile ${name}`;
    const or = isNamed ? '' : ', or set BLUEJAY_API_KEY';
    const next = `Run ${login}${or}. Keys are created at /account/api-keys of your installation.`;
    throw new Refusal(`There is no API key for the profile ${name}.`, { code: 'NO_KEY', next });
  }
  const environmentUrl = isNamed ? undefined : env.BLUEJAY_URL?.trim() || undefined;
  const [from, url] = [
    ['--url', text('url')],
    ['BLUEJAY_URL', environmentUrl],
    [`The URL of the profile ${name}`, stored?.url],
  ].find(([, value]) => value) ?? ['', undefined];
  if (!url) {
    throw new Refusal('There is no URL of the API.', { code: 'NO_URL', next: 'Give --url, or set BLUEJAY_URL.' });
  }
  const baseUrl = readUrl(from ?? '', url);
  const source = environmentKey ? 'BLUEJAY_API_KEY' : `profile ${name}`;
  return { bluejay: new Bluejay({ apiKey, baseUrl }), url: baseUrl, apiKey, source };
}

/** Returns an http or https URL without a slash at its end. Throws UsageError. */
export function readUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError(`${name} must be a URL such as https://api.example.com, not "${text}".`);
  }
  return url.href.replace(/\/+$/, '');
}

/** Returns the part of a key that identifies it, without the secret. */
export function maskKey(apiKey: string): string {
  const [, id] = /^(bjk_(?:test|live)[a-z2-7]{16})_/.exec(apiKey) ?? [];
  return id ? `${id}_…` : 'an access token';
}
