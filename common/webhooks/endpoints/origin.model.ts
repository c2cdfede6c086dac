import mongoose from 'mongoose';
import { unjournaled } from '#common/platform/due-work/due-work.ts';
import { hasLapsed, inMs } from '#common/platform/mongo/lease.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { retryOnDuplicateKey } from '#common/platform/mongo/retry-on-duplicate-key.ts';
import * as row from '#common/platform/mongo/row.ts';
import { sha256Hex } from '#common/secrets.ts';

/** Permits that one endpoint holds for an origin, until it releases them or they expire. */
const holderFields = {
  endpointId: row.text,
  token: row.text,
  organizationId: row.text,
  count: row.number,
  until: row.date,
};
const fields = { _id: row.text, holders: row.list(row.part(holderFields)), expiresAt: row.date };
/** A semaphore for one origin (scheme, host and port), shared by all organizations. */
type OriginRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('origins', fields);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const Origin = mongoose.model('Origin', schema);

/** Maximum number of posts in flight to one origin, in total and for one organization. */
export const originLimits = { all: 200, perOrganization: 20 } as const;

/** Longer than an endpoint session including its last post. The next session of the endpoint replaces its permits. */
const ttlMs = 75_000;
const keepOriginMs = 24 * 60 * 60 * 1_000;

export type PermitRequest = {
  origin: string;
  endpointId: string;
  organizationId: string;
  /** The lease of the endpoint. */
  token: string;
  wanted: number;
};

/**
 * Acquires permits to post to an origin, in one write for a whole batch. Returns their number: at most `wanted`, fewer
 * or 0 when the quota of the origin or of the organization is used up. Replaces the permits that the endpoint held
 * before. Permits of a dead process expire after 75 s.
 */
export async function acquirePermits(request: PermitRequest): Promise<number> {
  const { origin, endpointId, organizationId, token, wanted } = request;
  const others = {
    $filter: {
      input: { $ifNull: ['$holders', []] },
      cond: { $and: [{ $not: [hasLapsed('$$this.until')] }, { $ne: ['$$this.endpointId', endpointId] }] },
    },
  };
  const ofOrganization = {
    $map: {
      input: '$holders',
      in: { $cond: [{ $eq: ['$$this.organizationId', organizationId] }, '$$this.count', 0] },
    },
  };
  const free = {
    $min: [
      wanted,
      { $subtract: [originLimits.all, { $sum: '$holders.count' }] },
      { $subtract: [originLimits.perOrganization, { $sum: ofOrganization }] },
    ],
  };
  const holder = { endpointId, token, organizationId, count: '$$free', until: inMs(ttlMs) };
  const withHolder = { $cond: [{ $gt: ['$$free', 0] }, { $concatArrays: ['$holders', [holder]] }, '$holders'] };
  const update = [
    { $set: { holders: others, expiresAt: inMs(keepOriginMs) } },
    { $set: { holders: { $let: { vars: { free }, in: withHolder } } } },
  ];
  const options = {
    upsert: true,
    returnDocument: 'after',
    projection: { holders: { $elemMatch: { endpointId } } },
    ...unjournaled,
  } as const;
  const origins = rowsOf<OriginRecord>(Origin);
  const stored = await retryOnDuplicateKey(() => origins.findOneAndUpdate({ _id: originId(origin) }, update, options));
  // No holder was added when nothing was granted.
  return stored?.holders?.[0]?.count ?? 0;
}

/** Releases permits, which others can then acquire before they expire. */
export async function releasePermits({ origin, endpointId, token }: PermitRequest): Promise<void> {
  await rowsOf<OriginRecord>(Origin).updateOne(
    { _id: originId(origin) },
    { $pull: { holders: { endpointId, token } } },
    unjournaled,
  );
}

const originId = (origin: string) => sha256Hex(origin).slice(0, 32);
