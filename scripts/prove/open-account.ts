import type { Sender } from './send-letter.ts';

/** An installation as an operator has it. */
export type Operated = {
  apiUrl: string;
  /** Runs an operator command and returns its result. */
  admin<Result>(...words: string[]): Promise<Result>;
};

/** Follows what the installation has printed: tariffs, an organization, a key for test letters. */
export async function openAccount({ admin, apiUrl }: Operated): Promise<Sender & { organizationId: string }> {
  await admin('tariff', 'import', 'scripts/demo/tariffs.json');
  const address = ['--line1', 'Rue Haute 1', '--zip', '1000', '--city', 'Bruxelles', '--country', 'BE'];
  const { organizationId } = await admin<{ organizationId: string }>('org', 'create', '--name', 'Proof', ...address);
  const scopes = ['--mode', 'test', '--scopes', 'read,send'];
  const { key } = await admin<{ key: string }>('key', 'create', '--org', organizationId, ...scopes);
  return { baseUrl: apiUrl, key, organizationId };
}
