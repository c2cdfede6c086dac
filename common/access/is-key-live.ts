import { ApiKey } from './api-key.model.ts';

/** Whether a key still opens anything, by the database and no cache: for what goes on after a request is let in. */
export async function isKeyLive(keyId: string): Promise<boolean> {
  return (await ApiKey.exists({ _id: keyId, revokedAt: null })) !== null;
}
