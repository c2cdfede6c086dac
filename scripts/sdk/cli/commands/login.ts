import { askLine, askSecret, canAsk, readStandardInput } from '../program/ask.ts';
import type { Command, Context } from '../program/command.ts';
import { configPath, readProfiles, writeProfiles } from '../program/config-file.ts';
import { connect, maskKey, profileName, readUrl } from '../program/connect.ts';
import { Refusal, UsageError } from '../program/failure.ts';
import { euros } from '../program/output.ts';
import { Bluejay } from '../sdk.ts';

/** `login` stores a key after a request with it. */
export const loginCommand: Command = {
  name: 'login',
  summary: 'Store an API key on this machine.',
  flags: { 'key-stdin': { help: 'Read the key from standard input instead of asking for it.' } },
  examples: [
    'bluejay login --url https://api.example.com',
    'bluejay login --url https://api.example.com --key-stdin < key.txt',
    'bluejay login --profile live',
  ],
  notes: [
    'The key is checked, then stored in a file that only you can read. Create keys at /account/api-keys of your',
    'installation. There is no flag for the key itself: other users of the machine could read it.',
  ],
  async run(context) {
    const { out, env } = context;
    const path = configPath(env);
    const name = profileName(context);
    const profiles = await readProfiles(path);
    const url = await findUrl(context, profiles[name]?.url);
    const apiKey = await findKey(context);
    if (!apiKey) throw new Refusal('The key is empty. Nothing was stored.', { code: 'NO_KEY' });
    const { mode, organizationName } = await new Bluejay({ apiKey, baseUrl: url }).me.get({ signal: context.signal });
    profiles[name] = { url, apiKey };
    await writeProfiles(path, profiles);
    out.result({ profile: name, url, key: maskKey(apiKey), mode, organizationName, file: path }, () => [
      `Logged in to ${url} for ${organizationName} in ${mode} mode as profile ${name}.`,
    ]);
    out.note(`Stored in ${path}. Next: bluejay preflight letter.pdf`);
  },
};

/** `logout` removes a stored key. */
export const logoutCommand: Command = {
  name: 'logout',
  summary: 'Remove the stored API key.',
  examples: ['bluejay logout', 'bluejay logout --profile live'],
  async run(context) {
    const path = configPath(context.env);
    const name = profileName(context);
    const { [name]: removed, ...rest } = await readProfiles(path);
    if (!removed) throw new Refusal(`There is no login with the profile ${name}.`, { code: 'NO_KEY' });
    await writeProfiles(path, rest);
    context.out.result({ profile: name, removed: true }, () => [`Removed the key of the profile ${name}.`]);
    context.out.note('The key itself is still valid. Revoke it at /account/api-keys of your installation.');
  },
};

/** `whoami` shows which key is used where. */
export const whoamiCommand: Command = {
  name: 'whoami',
  summary: 'Show which key is used, where, and in which mode.',
  examples: ['bluejay whoami', 'bluejay whoami --json'],
  async run(context) {
    const { bluejay, url, apiKey, source } = await connect(context);
    const { mode, organizationId, organizationName, scopes } = await bluejay.me.get({ signal: context.signal });
    const mayRead = scopes.includes('wallet');
    const balanceCents = mayRead ? (await bluejay.wallet.get({ signal: context.signal })).balanceCents : null;
    const organization = { organizationId, organizationName };
    context.out.result({ url, key: maskKey(apiKey), source, ...organization, mode, scopes, balanceCents }, () => [
      `URL      ${url}`,
      `Key      ${maskKey(apiKey)} from ${source}`,
      `For      ${organizationName}`,
      `Mode     ${mode}`,
      `Scopes   ${scopes.join(' ')}`,
      `Balance  ${balanceCents === null ? 'not shown: the key lacks the scope wallet' : euros(balanceCents)}`,
    ]);
  },
};

async function findUrl({ text, env, signal }: Context, stored: string | undefined): Promise<string> {
  const given = text('url') ?? (env.BLUEJAY_URL?.trim() || undefined);
  if (given) return readUrl(text('url') ? '--url' : 'BLUEJAY_URL', given);
  if (canAsk()) return readUrl('The URL', await askLine('URL of the API', stored ?? 'http://localhost:3000', signal));
  if (stored) return stored;
  throw new UsageError('There is no URL of the API.', 'Give --url, or set BLUEJAY_URL.');
}

async function findKey({ has, signal }: Context): Promise<string> {
  if (has('key-stdin')) return (await readStandardInput(signal)).trim();
  if (canAsk()) return await askSecret('API key (not shown): ', signal);
  throw new UsageError('There is no terminal to ask for the key at.', 'Give it with --key-stdin < file.');
}
