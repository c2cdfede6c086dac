import mongoose, { Schema } from 'mongoose';
import { plusMs } from '../clock.ts';
import { unjournaled } from '../platform/due-work.ts';
import { modelOptions } from '../platform/model-options.ts';
import { isDuplicateKey, rowsOf } from '../platform/mongo.ts';
import { sha256Hex } from '../secrets.ts';

/** Posts that one endpoint may have under way to an origin, for as long as nobody renews or returns them. */
type Holder = { endpointId: string; token: string; organizationId: string; count: number; until: Date };

/** One origin (scheme, host and port) that is being posted to, by whomever: a bound on all of them together. */
type OriginRecord = { _id: string; holders: Holder[]; expiresAt: Date };

const holderSchema = new Schema<Holder>(
  {
    endpointId: { type: String, required: true },
    token: { type: String, required: true },
    organizationId: { type: String, required: true },
    count: { type: Number, required: true },
    until: { type: Date, required: true },
  },
  { _id: false },
);
const schema = new Schema<OriginRecord>(
  {
    _id: { type: String, required: true },
    holders: { type: [holderSchema], required: true },
    expiresAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'origins' },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const Origin = mongoose.model('Origin', schema);

/** Posts under way at once to one origin: over all customers, and of one organization. */
export const originLimits = { all: 200, perOrganization: 20 } as const;

/** Longer than a turn of an endpoint with its last post; an endpoint that is leased anew takes over its own. */
const ttlMs = 75_000;
const keepOriginMs = 24 * 60 * 60 * 1_000;
const maxRounds = 3;

export type PermitRequest = {
  origin: string;
  endpointId: string;
  organizationId: string;
  /** The lease of the endpoint. */
  token: string;
  wanted: number;
};

/**
 * Takes permits to post to an origin, in one write for a whole batch: at most `wanted`, fewer or none (0) when the
 * origin or the organization's share of it is in use. What the endpoint held before is replaced. A process that dies
 * leaves permits that run out by themselves.
 */
export async function takePermits(request: PermitRequest, now: Date): Promise<number> {
  const { origin, endpointId, organizationId, token, wanted } = request;
  const others = {
    $filter: {
      input: { $ifNull: ['$holders', []] },
      cond: { $and: [{ $gt: ['$$this.until', now] }, { $ne: ['$$this.endpointId', endpointId] }] },
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
  const holder = { endpointId, token, organizationId, count: '$$free', until: plusMs(now, ttlMs) };
  const withHolder = { $cond: [{ $gt: ['$$free', 0] }, { $concatArrays: ['$holders', [holder]] }, '$holders'] };
  for (let round = 1; ; round += 1) {
    try {
      const row = await rowsOf<OriginRecord>(Origin).findOneAndUpdate(
        { _id: originId(origin) },
        [
          { $set: { holders: others, expiresAt: plusMs(now, keepOriginMs) } },
          { $set: { holders: { $let: { vars: { free }, in: withHolder } } } },
        ],
        {
          upsert: true,
          returnDocument: 'after',
          projection: { holders: { $elemMatch: { endpointId } } },
          ...unjournaled,
        },
      );
      // Absent when nothing was granted.
      return row?.holders?.[0]?.count ?? 0;
    } catch (error) {
      // Two were the first to post to this origin: the row is there now.
      if (!isDuplicateKey(error) || round === maxRounds) throw error;
    }
  }
}

/** Gives permits back at once, so that others need not wait for their end. */
export async function returnPermits({ origin, endpointId, token }: PermitRequest): Promise<void> {
  await rowsOf<OriginRecord>(Origin).updateOne(
    { _id: originId(origin) },
    { $pull: { holders: { endpointId, token } } },
    unjournaled,
  );
}

const originId = (origin: string) => sha256Hex(origin).slice(0, 32);
