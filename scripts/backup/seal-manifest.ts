import { areEqualDigests, type KeyRing } from '#common/secrets.ts';
import { OperatorError } from '../program/operator-error.ts';
import type { BackupManifest } from './manifest.schema.ts';

type Unsealed = Omit<BackupManifest, 'keys' | 'seal'>;

const checkPurpose = 'key check of a backup';
const sealPurpose = 'seal of a backup';

const checkedText = ({ startedAt, clusterTime }: Unsealed) => `${startedAt} ${clusterTime}`;
const sealedText = ({ seal: _, ...manifest }: BackupManifest) => JSON.stringify(manifest);

/**
 * Adds the check values of the keys, and the seal. They prove that a key is the same, and reveal nothing about it: each is
 * an HMAC with a key derived from 256 random bits.
 */
export function sealManifest(manifest: Unsealed, keyRing: KeyRing): BackupManifest {
  const checks = keyRing.signer(checkPurpose).signAll(checkedText(manifest));
  const keys = keyRing.keyIds.map((id, index) => ({ id, check: checks[index]?.toString('hex') ?? '' }));
  const unsealed = { ...manifest, keys, seal: '' };
  return { ...unsealed, seal: keyRing.signer(sealPurpose).sign(sealedText(unsealed)).toString('hex') };
}

/**
 * Throws OperatorError unless the ring has each key that the installation had at the backup, and the manifest is as it was
 * written. Further keys do no harm.
 */
export function requireFittingKeys(manifest: BackupManifest, keyRing: KeyRing): void {
  const checks = keyRing.signer(checkPurpose).signAll(checkedText(manifest));
  const wrong: string[] = [];
  for (const { id, check } of manifest.keys) {
    const place = keyRing.keyIds.indexOf(id);
    const found = checks[place]?.toString('hex');
    if (found === undefined) wrong.push(`${id} is missing`);
    else if (!areEqualDigests(found, check)) wrong.push(`${id} is another key`);
  }
  if (wrong.length > 0) {
    throw new OperatorError(
      `ENCRYPTION_KEYS do not fit this backup: ${wrong.join(', ')}. Set the keys of the installation at the time of the backup. Without them its webhook secrets cannot be read.`,
    );
  }
  const seals = keyRing.signer(sealPurpose).signAll(sealedText(manifest));
  if (seals.some((seal) => areEqualDigests(seal.toString('hex'), manifest.seal))) return;
  throw new OperatorError('The manifest was changed after the backup: its seal does not fit. Use another backup.');
}
