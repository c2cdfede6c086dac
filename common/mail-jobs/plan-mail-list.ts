import type { Owner } from '../modes.ts';
import { serviceTypes, zones } from '../pricing/tariff.schema.ts';
import { mailStatuses } from './lifecycle.ts';
import type { MailFilter } from './mail-filter.schema.ts';
import { MailJob, mailListIndexes } from './mail-job.model.ts';
import { type Metadata, tagOf } from './metadata.schema.ts';

/** How the database finds the jobs that fit a filter, in the order of the list; ranges of ids come on top. */
export type MailListPlan = {
  conditions: Record<string, unknown>;
  /** The index to go by; absent where the database must judge by what it finds. */
  hint?: Record<string, 1 | -1>;
};

/**
 * The conditions of a filter and the index for them. The choice is not left to the database where we know better: with a
 * range of ids it would also consider the index of the ids alone, in which everybody's jobs are.
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
  // A few jobs that changed lately are sorted in no time; of many, the list itself soon has a page.
  if (updatedAfter) return { conditions: common };
  return { conditions: common, hint: kind ? mailListIndexes.kind : mailListIndexes.all };
}

/** Null when the filter says nothing of it. */
function kindConditions({ status, zone, serviceType }: MailFilter): Record<string, unknown> | null {
  if (status === undefined && zone === undefined && serviceType === undefined) return null;
  // What is not asked for is spelled out: only then the index that has all three gives rows in the order of the list.
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

/** An entry that so many jobs have is common; how common does not matter. */
const manyJobs = 1_000;

/**
 * Jobs are found by the entry that the fewest have, and judged by the others: left to itself, the database takes any of
 * them, and may read a million jobs to find one. When even that entry is common, the kind may narrow them down more.
 */
async function planByMetadata(
  { organizationId, mode }: Owner,
  metadata: Metadata,
  common: Record<string, unknown>,
  hasKind: boolean,
): Promise<MailListPlan> {
  const entries = Object.entries(metadata);
  // A single entry without a kind leaves nothing to choose.
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
  const judged = metadataConditions(others.map(({ entry }) => entry));
  return { conditions: { ...common, ...judged, metadataTags: tagOf(rarest.entry) }, hint: mailListIndexes.metadata };
}
