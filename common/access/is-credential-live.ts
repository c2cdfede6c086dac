import { ApiKey } from './api-key.model.ts';
import type { Credential } from './credential.ts';

/** Whether a credential still opens anything, by the database and no cache: for what goes on after a request is let in. */
export async function isCredentialLive({ id }: Credential): Promise<boolean> {
  return (await ApiKey.exists({ _id: id, revokedAt: null })) !== null;
}
