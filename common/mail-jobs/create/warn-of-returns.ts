import { timeZone } from '#common/calendar.ts';
import type { Owner } from '#common/modes.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { createBatcher } from '#common/platform/concurrency/create-batcher.ts';
import { findRows } from '#common/platform/mongo/mongo.ts';
import type { MailWarning } from '../model/mail-job.model.ts';
import { ReturnedItem, type ReturnedItemRecord, returnsByAddress } from '../model/returned-item.model.ts';
import { addressKeyOf } from '../rules/address-key.ts';

type Asked = { owner: Owner; keys: readonly string[] };

/**
 * Finds the last return of each address. Every letter needs this, so concurrent letters share one query, which looks up
 * one index entry per address and finds nothing for an organization without returns.
 */
const findLastReturns = createBatcher<Asked, ReadonlyMap<string, ReturnedItemRecord>>({
  maxItems: 256,
  async run(asked) {
    const keys = [...new Set(asked.flatMap((each) => each.keys))];
    const filter = {
      organizationId: { $in: [...new Set(asked.map(({ owner }) => owner.organizationId))] },
      mode: { $in: [...new Set(asked.map(({ owner }) => owner.mode))] },
      addressKey: { $in: keys },
    };
    const rows = await findRows<ReturnedItemRecord>(ReturnedItem, filter, {
      limit: keys.length,
      // The index by owner would read all returns of an organization.
      hint: returnsByAddress,
    });
    // The key contains the owner, so no letter finds the return of another organization or mode.
    const byKey = new Map(rows.map((row) => [row.addressKey ?? '', row]));
    return asked.map(() => byKey);
  },
});

/** Returns a warning for each recipient at whose address an earlier letter of the owner came back. */
export async function warnOfReturns(owner: Owner, recipients: readonly PostalAddress[]): Promise<MailWarning[]> {
  const keys = recipients.map((recipient) => addressKeyOf(owner, recipient));
  const returns = await findLastReturns({ owner, keys });
  return keys.flatMap((key, index) => {
    const found = returns.get(key);
    return found ? [toWarning(found, index)] : [];
  });
}

function toWarning({ reason, at }: ReturnedItemRecord, index: number): MailWarning {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const message = `A letter to this address came back on ${day}, with the reason ${reason}.`;
  return { code: 'RECIPIENT_RETURNED', path: ['recipients', index], message };
}
