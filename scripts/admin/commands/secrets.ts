import { recordAudit } from '#common/audit/record-audit.ts';
import { resealSecrets } from '#common/schema/reseal-secrets.ts';
import { defineCommand, describeFields } from '../command.ts';

const reseal = defineCommand({
  name: 'secrets reseal',
  summary: 'encrypt every stored secret with the first of ENCRYPTION_KEYS; safe to repeat and while the service runs',
  fields: {},

  async run(_input, { keyRing, clock, actor }) {
    const resealing = await resealSecrets(keyRing);
    const { keyId, resealed, unreadable } = resealing;
    const entry = { action: 'secrets.resealed', subjectId: keyId, detail: { resealed, unreadable } } as const;
    await recordAudit(entry, actor, clock.now());
    return resealing;
  },
  describe({ keyId, resealed, unchanged, unreadable, keysInUse, unusedKeyIds }) {
    const fields = describeFields({
      'Key that writes': keyId,
      'Encrypted again': resealed,
      'Had that key already': unchanged,
      'Cannot be read': unreadable,
      'Secrets for each key': Object.entries(keysInUse)
        .map(([id, count]) => `${id} ${count}`)
        .join(', '),
    });
    const advice =
      unusedKeyIds.length > 0
        ? `No stored secret needs ${unusedKeyIds.join(', ')} any more. Cursors, open forms and known browsers may: wait a day, then remove the key from ENCRYPTION_KEYS.`
        : 'Every former key in ENCRYPTION_KEYS is still needed, or there is none.';
    return `${fields}\n${advice}`;
  },
});

export const secretsCommands = [reseal];
