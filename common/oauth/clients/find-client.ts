import type { Clock } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { createCachedReads } from '#common/platform/concurrency/cached-reads.ts';
import type { TargetRules } from '#common/webhooks/egress/address-rules.ts';
import type { BlockReason } from '#common/webhooks/egress/blocked-counter.ts';
import { BlockedError, TargetError } from '#common/webhooks/egress/delivery-answer.ts';
import { createDocumentFetcher, type FetchedDocument, TooLongError } from '#common/webhooks/egress/fetch-document.ts';
import { OAuthClient, type OAuthClientRecord } from '../client.model.ts';
import { isHostAllowed, isMetadataUrl, type PublicHosts, readClientMetadata } from './client-metadata.ts';

/** An application; `unreachable` when its metadata cannot be had for now; null when it is unknown or disabled. */
export type FoundClient = OAuthClientRecord | 'unreachable' | null;

/**
 * Returns the application with this id. Calls `beforeFetch` before it fetches metadata that is not in memory, and rejects
 * as that does. Throws SERVICE_UNAVAILABLE while too many fetches are in progress.
 */
export type ClientFinder = (clientId: string, beforeFetch?: () => Promise<void>) => Promise<FoundClient>;

type Fetched = { client: FoundClient; keepMs: number };

export type FinderOptions = {
  /** Which servers may be asked: those that may get webhooks, except in private networks. */
  rules: TargetRules;
  publicHosts: PublicHosts;
  clock: Clock;
  onBlocked: (reason: BlockReason) => void;
  /** For the whole fetch, for which a person waits. Default 5 s. */
  timeoutMs?: number;
};

/** The longest document, as the draft of the standard recommends. */
const maxMetadataBytes = 5 * 1024;
const userAgent = 'Bluejay-OAuth/1';

/** How long a document may be used again: as its server says, within these bounds. */
const [minAgeS, defaultAgeS, maxAgeS] = [60, 3_600, 24 * 3_600];
/** A document that cannot be had is not fetched again for this long. */
const failureMs = 30_000;
const maxDocuments = 1_000;
/** Fetches at the same time. */
const maxFetches = 20;
const busyRetryS = 5;

/** Finds a registered application. */
export const findRegisteredClient = async (clientId: string): Promise<OAuthClientRecord | null> => {
  const client = await OAuthClient.findById(clientId).lean<OAuthClientRecord>();
  return client?.disabledAt ? null : client;
};

/**
 * Creates the search for applications: registered ones, and those whose id is the URL of their metadata
 * (draft-ietf-oauth-client-id-metadata-document), which is fetched. Documents are kept in memory.
 */
export function createClientFinder({
  rules,
  publicHosts,
  clock,
  onBlocked,
  timeoutMs = 5_000,
}: FinderOptions): ClientFinder {
  // The operator opens private networks to webhooks, not to documents that any user can name.
  const fetchDocument = createDocumentFetcher(
    { ...rules, allowedNetworks: [] },
    { maxBytes: maxMetadataBytes, userAgent, timeoutMs, onBlocked },
  );
  const kept = createCachedReads<Fetched>({
    maxAgeMs: maxAgeS * 1_000,
    keepMs: ({ keepMs }) => keepMs,
    maxKeys: maxDocuments,
  });
  let fetching = 0;

  async function fetchClient(clientId: string): Promise<Fetched> {
    if (fetching >= maxFetches) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: busyRetryS });
    fetching += 1;
    try {
      const answer = await fetchDocument(clientId);
      if (isTransient(answer)) return { client: 'unreachable', keepMs: failureMs };
      const client = isMetadata(answer) ? readClientMetadata(clientId, answer.body, clock.now()) : null;
      return { client, keepMs: client ? ageMsOf(answer) : failureMs };
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      const isPermanent = error instanceof BlockedError || error instanceof TooLongError;
      return { client: isPermanent ? null : 'unreachable', keepMs: failureMs };
    } finally {
      fetching -= 1;
    }
  }

  return async (clientId, beforeFetch) => {
    if (!isMetadataUrl(clientId)) return await findRegisteredClient(clientId);
    if (!isHostAllowed(clientId, publicHosts)) return null;
    // The operator can disable it once a user has consented.
    const stored = await OAuthClient.findById(clientId).lean<OAuthClientRecord>();
    if (stored?.disabledAt) return null;
    if (!kept.has(clientId)) await beforeFetch?.();
    const { client } = await kept.get(clientId, () => fetchClient(clientId));
    return client;
  };
}

function isTransient({ status }: FetchedDocument): boolean {
  return status === 429 || status >= 500;
}

function isMetadata({ status, contentType }: FetchedDocument): boolean {
  return status === 200 && /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '');
}

function ageMsOf({ cacheControl }: FetchedDocument): number {
  const [, maxAge] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? '') ?? [];
  const ageS = /no-store|no-cache/i.test(cacheControl ?? '') ? 0 : Number(maxAge ?? defaultAgeS);
  return Math.min(Math.max(ageS, minAgeS), maxAgeS) * 1_000;
}
