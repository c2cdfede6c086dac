import type { Owner } from '#common/modes.ts';
import { serviceTypes, zones } from '#common/services.ts';
import type { MailFilter } from '../model/mail-filter.schema.ts';
import { MailJob, mailListIndexes } from '../model/mail-job.model.ts';
import { mailStatuses } from '../model/mail-status.ts';
import { type Metadata, tagOf } from '../model/metadata.schema.ts';

/** Conditions and index for a list, in list order. The caller adds the range of ids. */
export type MailListPlan = {
  conditions: Record<string, unknown>;
  /** The index to use; absent where the database should choose by the data. */
  hint?: Record<string, 1 | -1>;
};

/**
 * Returns the conditions of a filter and the index to use. The index is usually fixed: with a range of ids, the
 * database would also consider the index of ids alone, which contains the jobs of all organizations.
 */
export async function planMailList(owner: Owner, filter: MailFilter): Promise<MailListPlan> {
  const { externalId, updatedAfter, metadata } = filter;
  const kind = kindConditions(filter);
  const common = { ...kind, ...(updatedAfter && { updatedAt: { $gte: updatedAfter } }) };
  if (externalId !== undefined) {
    const others = metadataConditions(Object.entries(metadata ?? {}));
    return { conditions: { ...common, ...others, externalId }, hint: mailListIndexes.externalId };
  }
  if (metadata) return await planByMetadata(owner, metadata, common, kind !== null);
  // Few matching jobs are best found by `updated` and sorted; with many, walking `all` soon fills a page.
  if (updatedAfter) return { conditions: common };
  return { conditions: common, hint: kind ? mailListIndexes.kind : mailListIndexes.all };
}

/** Returns the conditions on status, zone and service; null when the filter has none. */
function kindConditions({ status, zone, serviceType }: MailFilter): Record<string, unknown> | null {
  if (status === undefined && zone === undefined && serviceType === undefined) return null;
  // A field without a filter lists all its values: otherwise the index does not return rows in list order.
  return {
    status: status ?? { $in: mailStatuses },
    zone: zone ?? { $in: zones },
    serviceType: serviceType ?? { $in: serviceTypes },
  };
}

type Entry = [key: string, value: string];

function metadataConditions(entries: readonly Entry[]): Record<string, unknown> {
  if (entries.length === 0) return {};
  return { metadata: { $all: entries.map(([key, value]) => ({ $elemMatch: { key, value } })) } };
}

/** Counting stops here: an entry of this many jobs is common, and the exact number does not matter. */
const manyJobs = 1_000;

/**
 * Uses the index of the rarest entry and checks the others on the jobs found. Without this choice, the database may
 * pick a common entry and read a million jobs to find one. When even the rarest entry is common, status, zone and
 * service may be more selective.
 */
async function planByMetadata(
  { organizationId, mode }: Owner,
  metadata: Metadata,
  common: Record<string, unknown>,
  hasKind: boolean,
): Promise<MailListPlan> {
  const entries = Object.entries(metadata);
  // A single entry without conditions on status, zone or service leaves no choice.
  const isChoice = hasKind || entries.length > 1;
  const counted = await Promise.all(
    entries.map(async (entry) => {
      const filter = { organizationId, mode, metadataTags: tagOf(entry) };
      const counting = MailJob.countDocuments(filter, { limit: manyJobs }).hint(mailListIndexes.metadata);
      return { entry, count: isChoice ? await counting : 0 };
    }),
  );
  const [rarest, ...others] = counted.sort((left, right) => left.count - right.count);
  if (!rarest || (hasKind && rarest.count === manyJobs)) {
    return { conditions: { ...common, ...metadataConditions(entries) }, hint: mailListIndexes.kind };
  }
  const remaining = metadataConditions(others.map(({ entry }) => entry));
  return { conditions: { ...common, ...remaining, metadataTags: tagOf(rarest.entry) }, hint: mailListIndexes.metadata };
}
