import { rowsOf } from '../platform/mongo/mongo.ts';
import { sealedFieldsOf } from '../platform/mongo/row.ts';
import { type KeyRing, keyIdOf, type Sealed } from '../secrets.ts';
import { models } from './migrations.ts';

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
type StoredSecret = { path: string; sealed: Sealed; context: string };

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

/** Calls `visit` for every sealed field of every row, one at a time. */
async function eachSecret(visit: (stored: StoredSecret, replace: Replace) => Promise<void>): Promise<void> {
  for (const model of models) {
    const fields = sealedFieldsOf(model.schema);
    const projection: Record<string, 1> = Object.fromEntries(fields.map(({ path }) => [path, 1]));
    const rows = rowsOf(model);
    const found = fields.length === 0 ? [] : rows.find({}, { projection, batchSize }).sort({ _id: 1 });
    for await (const row of found) {
      const replace: Replace = async (path, before, after) =>
        (await rows.updateOne({ _id: row._id, [path]: before } as object, { $set: { [path]: after } })).matchedCount ===
        1;
      for (const { path, contextOf } of fields) {
        const sealed = valueAt(row, path);
        if (typeof sealed === 'string')
          await visit({ path, sealed: sealed as Sealed, context: contextOf(row._id) }, replace);
      }
    }
  }
}

function valueAt(row: unknown, path: string): unknown {
  return path.split('.').reduce((part, name) => (part as Record<string, unknown> | null | undefined)?.[name], row);
}
