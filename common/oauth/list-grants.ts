import type { Scope } from '../access/scopes.ts';
import type { Mode } from '../modes.ts';
import { OAuthClient, type OAuthClientRecord } from './client.model.ts';
import { type GrantRecord, OAuthGrant } from './grant.model.ts';

/** An application that an organization has given access to, over all its grants. */
export type GrantedApplication = {
  clientId: string;
  name: string;
  mode: Mode;
  /** What any of its grants allows. */
  scopes: Scope[];
  /** The users who consented. */
  userIds: string[];
  grantCount: number;
  firstGrantedAt: Date;
  /** When a token was last issued. */
  lastUsedAt: Date;
};

/** More grants than a person could have given; the newest are shown. */
const maxGrants = 1_000;

/** The applications that may act for an organization now, the one that was last granted first. */
export async function listGrants(organizationId: string, at: Date): Promise<GrantedApplication[]> {
  const grants = await OAuthGrant.find({
    organizationId,
    revokedAt: null,
    expiresAt: { $gt: at },
    'refresh.expiresAt': { $gt: at },
  })
    .sort({ createdAt: -1 })
    .limit(maxGrants)
    .lean<GrantRecord[]>();
  const byClient = Map.groupBy(grants, ({ clientId }) => clientId);
  const clients = await OAuthClient.find({ _id: { $in: [...byClient.keys()] } }).lean<OAuthClientRecord[]>();
  const nameOf = new Map(clients.map(({ _id, name }) => [_id, name]));

  return [...byClient].map(([clientId, own]) => ({
    clientId,
    name: nameOf.get(clientId) ?? clientId,
    mode: own[0]?.mode ?? 'test',
    scopes: [...new Set(own.flatMap(({ scopes }) => scopes))],
    userIds: [...new Set(own.map(({ userId }) => userId))],
    grantCount: own.length,
    firstGrantedAt: new Date(Math.min(...own.map(({ createdAt }) => createdAt.getTime()))),
    lastUsedAt: new Date(Math.max(...own.map(({ refresh, createdAt }) => (refresh?.rotatedAt ?? createdAt).getTime()))),
  }));
}
