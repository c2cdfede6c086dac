import { type Mode, modes } from '#common/modes.ts';
import { jobWebhookSecretContext } from '#common/organizations/create-organization.ts';
import { Organization, type OrganizationRecord } from '#common/organizations/organization.model.ts';
import { type KeyRing, keyIdOf } from '#common/secrets.ts';
import { Webhook, type WebhookRecord, webhookSecretContext } from '../registry/webhook.model.ts';

const batchSize = 500;
/** Needing more passes means that processes with another key keep rotating secrets. */
const maxPasses = 5;

export type ResealReport = {
  /** The encrypting key: the first of the ring. */
  keyId: string;
  /** Secrets that this run encrypted with `keyId`. */
  resealed: number;
  /** Secrets that were already encrypted with `keyId`, by an earlier run or a running process. */
  unchanged: number;
  /** Secrets that no key of the ring decrypts, left unchanged. */
  unreadable: number;
  /** Number of secrets by encrypting key, after this run. */
  keysInUse: Record<string, number>;
  /** Keys of the ring other than the first that no stored secret needs. */
  unusedKeyIds: string[];
};

/** `path` is the field in its row, `context` the associated data of the encryption. */
type StoredSecret = { path: string; sealed: string; context: string };

/** Replaces `before` by compare-and-set; returns false when the row has another secret now. */
type Replace = (path: string, before: string, after: string) => Promise<boolean>;

/**
 * Encrypts every stored secret with the first key of the ring, including those of deleted webhooks. Each secret is
 * replaced by compare-and-set, so a run may be interrupted and repeated, and may overlap with rotations: secrets that
 * changed meanwhile are read again.
 */
export async function resealSecrets(keyRing: KeyRing): Promise<ResealReport> {
  const [keyId = ''] = keyRing.keyIds;
  const { unchanged, unreadable, ...first } = await pass(keyRing);
  let { resealed, overtaken } = first;
  for (let count = 1; overtaken > 0 && count < maxPasses; count += 1) {
    const next = await pass(keyRing);
    resealed += next.resealed;
    overtaken = next.overtaken;
  }
  const keysInUse: Record<string, number> = {};
  await eachSecret(async ({ sealed }) => {
    const id = keyIdOf(sealed);
    keysInUse[id] = (keysInUse[id] ?? 0) + 1;
  });
  const unusedKeyIds = keyRing.keyIds.slice(1).filter((id) => keysInUse[id] === undefined);

  return { keyId, resealed, unchanged, unreadable, keysInUse, unusedKeyIds };
}

type Outcome = 'resealed' | 'unchanged' | 'unreadable' | 'overtaken';

async function pass(keyRing: KeyRing): Promise<Record<Outcome, number>> {
  const counts = { resealed: 0, unchanged: 0, unreadable: 0, overtaken: 0 };
  await eachSecret(async (stored, replace) => {
    counts[await reseal(stored, replace, keyRing)] += 1;
  });
  return counts;
}

/** Returns `overtaken` when another process has replaced the secret since it was read. */
async function reseal({ path, sealed, context }: StoredSecret, replace: Replace, keyRing: KeyRing): Promise<Outcome> {
  if (keyIdOf(sealed) === keyRing.keyIds[0]) return 'unchanged';
  let plain: string;
  try {
    plain = keyRing.decrypt(sealed, context);
  } catch {
    return 'unreadable';
  }
  return (await replace(path, sealed, keyRing.encrypt(plain, context))) ? 'resealed' : 'overtaken';
}

/** Calls `visit` for every stored secret, one at a time. */
async function eachSecret(visit: (stored: StoredSecret, replace: Replace) => Promise<void>): Promise<void> {
  const webhooks = Webhook.find({}, { secret: 1, previousSecret: 1 }).sort({ _id: 1 }).lean<WebhookRecord[]>();
  for await (const { _id, secret, previousSecret } of webhooks.cursor({ batchSize })) {
    const context = webhookSecretContext(_id);
    const replace: Replace = async (path, before, after) =>
      (await Webhook.updateOne({ _id, [path]: before }, { [path]: after })).matchedCount === 1;
    await visit({ path: 'secret', sealed: secret, context }, replace);
    if (previousSecret) await visit({ path: 'previousSecret.sealed', sealed: previousSecret.sealed, context }, replace);
  }
  const fields = { jobWebhookSecret: 1, previousJobWebhookSecret: 1 } as const;
  const organizations = Organization.find({}, fields).sort({ _id: 1 }).lean<OrganizationRecord[]>();
  for await (const organization of organizations.cursor({ batchSize })) {
    const { _id } = organization;
    const replace: Replace = async (path, before, after) =>
      (await Organization.updateOne({ _id, [path]: before }, { [path]: after })).matchedCount === 1;
    for (const mode of modes) for (const stored of jobSecretsOf(organization, mode)) await visit(stored, replace);
  }
}

function jobSecretsOf(organization: OrganizationRecord, mode: Mode): StoredSecret[] {
  const { _id, jobWebhookSecret, previousJobWebhookSecret } = organization;
  const context = jobWebhookSecretContext(_id, mode);
  const current = { path: `jobWebhookSecret.${mode}`, sealed: jobWebhookSecret[mode], context };
  const previous = previousJobWebhookSecret?.[mode];
  if (!previous) return [current];
  return [current, { path: `previousJobWebhookSecret.${mode}.sealed`, sealed: previous.sealed, context }];
}
