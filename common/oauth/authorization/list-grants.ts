import { type GrantRecord, OAuthGrant } from '#common/access/grant.model.ts';
import { isLive } from '#common/access/live-grants.ts';
import type { Scope } from '#common/access/scopes.ts';
import type { Mode } from '#common/modes.ts';

/** An application with access to an organization, over all its grants. */
export type GrantedApplication = {
  clientId: string;
  name: string;
  /** `live` when one of its grants is: a public client may have both. */
  mode: Mode;
  /** The union of its grants' scopes. */
  scopes: Scope[];
  userIds: string[];
  grantCount: number;
  firstGrantedAt: Date;
  /** When a refresh token was last issued. */
  lastUsedAt: Date;
};

/** More grants than people give by hand. The newest are shown. */
const maxGrants = 1_000;

/** Returns the applications with access to an organization, most recently granted first. */
export async function listGrants(organizationId: string, at: Date): Promise<GrantedApplication[]> {
  const grants = await OAuthGrant.find({
    organizationId,
    ...isLive(at),
  })
    .sort({ createdAt: -1 })
    .limit(maxGrants)
    .lean<GrantRecord[]>();
  const byClient = Map.groupBy(grants, ({ clientId }) => clientId);

  return [...byClient].map(([clientId, own]) => ({
    clientId,
    // The newest consent's, as its user saw it.
    name: own[0]?.clientName ?? clientId,
    mode: own.some(({ mode }) => mode === 'live') ? 'live' : 'test',
    scopes: [...new Set(own.flatMap(({ scopes }) => scopes))],
    userIds: [...new Set(own.map(({ userId }) => userId))],
    grantCount: own.length,
    firstGrantedAt: new Date(Math.min(...own.map(({ createdAt }) => createdAt.getTime()))),
    lastUsedAt: new Date(Math.max(...own.map(({ refresh, createdAt }) => (refresh?.rotatedAt ?? createdAt).getTime()))),
  }));
}
