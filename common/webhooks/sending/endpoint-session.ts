import { plusMs } from '#common/clock.ts';
import type { Claim } from '#common/platform/due-work/due-work.ts';
import type { Pauses, PauseView } from '#common/platform/due-work/pauses.ts';
import type { KeyRing } from '#common/secrets.ts';
import {
  type Attempt,
  type AttemptRecorder,
  isGone,
  type RecordDeps,
  receiverAnswer,
} from '../deliveries/attempt-recorder.ts';
import { isAccepted } from '../egress/delivery-answer.ts';
import type { WebhookClient } from '../egress/webhook-client.ts';
import { applyOutcome, endPause, hasFailedTooLong, isPaused, newHealth, type Outcome } from '../endpoints/breaker.ts';
import { deliveryWork, type EndpointHealth, type EndpointRecord } from '../endpoints/endpoint.model.ts';
import { acquirePermits, type PermitRequest, releasePermits } from '../endpoints/origin.model.ts';
import { createEndedLookup, createTargetLookup, type TargetLookup } from '../endpoints/post-target.ts';
import { disableWebhook } from './disable-webhook.ts';

/** After this long the session ends and the endpoint is due again at once, which frees its slot for another one. */
const maxSessionMs = 30_000;

export type SessionDeps = RecordDeps & {
  webhookClient: WebhookClient;
  keyRing: KeyRing;
  recorder: AttemptRecorder;
  pauses: Pauses;
};

/** `closing`: no new post may start. `signal`: posts in flight must end as well. */
export type SessionSignals = { readonly closing: AbortSignal; readonly signal: AbortSignal };

/** What a worker knows about an endpoint while it holds the endpoint's lease. */
export type EndpointSession = SessionSignals & {
  readonly deps: SessionDeps;
  /** Health of the endpoint, including the outcomes of this session. */
  readonly health: EndpointHealth;
  /** Reads whether an operator has paused the webhooks of its organization. */
  isHeld(): Promise<boolean>;
  /** Whether the endpoint must be released soon: the process stops, the session has run out of time, or is held. */
  isEnding(): boolean;
  /** Whether no new post may start: the session is ending or abandoned, or the endpoint is paused. */
  isHalted(): boolean;
  /** Whether this session has disabled the webhook. */
  isAbandoned(): boolean;
  readonly findTarget: TargetLookup;
  /** Returns whether a grant has ended, as read at most 500 ms ago. Rejects when that is unknown. */
  readonly hasEnded: (grantId: string) => Promise<boolean>;
  /** Continues an abandoned session, because the webhook has been re-enabled. */
  resume(): void;
  /** Returns how many posts to this origin may be in flight: `wanted` at most, 0 while others use the whole quota. */
  acquirePermits(origin: string, wanted: number): Promise<number>;
  /** Call only when no post is in flight. */
  releasePermits(): Promise<void>;
  /** Updates the health after an attempt; may disable the webhook. */
  recordOutcome(attempt: Attempt): Promise<void>;
  /** Filter for writes of the health: the row must have no reset and no manual retry that this session has not seen. */
  unchangedFilter(): { healthResets: number | null; 'manualRetry.times': number | null };
  /** Applies the current row: a reset discards the health of this session, a manual retry ends a pause. */
  applyRow(row: EndpointRecord): void;
};

export function startSession(
  { row, token }: Claim<EndpointRecord>,
  deps: SessionDeps,
  signals: SessionSignals,
): EndpointSession {
  const { clock } = deps;
  const { closing, signal } = signals;
  const { organizationId } = row;
  let permits: (PermitRequest & { granted: number }) | null = null;
  let lastAcquisition: Promise<unknown> = Promise.resolve();
  const endsAtMs = performance.now() + maxSessionMs;
  let { health = newHealth, healthResets, manualRetry } = row;
  let isAbandoned = false;
  const isHeldIn = (view: PauseView) => view.covers(deliveryWork.queue, organizationId);
  const isEnding = () =>
    closing.aborted || signal.aborted || performance.now() >= endsAtMs || isHeldIn(deps.pauses.latest());

  return {
    deps,
    closing,
    signal,
    get health() {
      return health;
    },
    isHeld: async () => isHeldIn(await deps.pauses.read()),
    isEnding,
    isHalted: () => isEnding() || isAbandoned || isPaused(health, clock.now()),
    isAbandoned: () => isAbandoned,
    findTarget: createTargetLookup(row, deps.keyRing),
    hasEnded: createEndedLookup(clock),
    resume() {
      isAbandoned = false;
    },
    async acquirePermits(origin, wanted) {
      if (permits?.origin === origin && permits.granted >= wanted) return wanted;
      if (permits && permits.origin !== origin) await releasePermits(permits);
      const request = { origin, endpointId: row._id, organizationId, token, wanted };
      permits = { ...request, granted: 0 };
      const acquisition = acquirePermits(request);
      lastAcquisition = acquisition.catch(() => {});
      permits = { ...request, granted: await acquisition };
      return permits.granted;
    },
    async releasePermits() {
      // Permits granted after their release would stay taken until they expire.
      await lastAcquisition;
      if (permits) await releasePermits(permits);
    },
    async recordOutcome(attempt) {
      const outcome = outcomeOf(attempt);
      if (!outcome || isAbandoned) return;
      const at = clock.now();
      health = applyOutcome(health, outcome, at);
      // It cannot recover while nothing is sent to it.
      const heldMs = deps.pauses.latest().endedMsSince(deliveryWork.queue, organizationId, health.failingSince ?? at);
      const reason = isGone(attempt) ? 'GONE' : hasFailedTooLong(health, plusMs(at, -heldMs)) ? 'FAILING' : null;
      if (!reason || row.webhookId === null) return;
      isAbandoned = true;
      await disableWebhook({ ...row, ...(healthResets !== undefined && { healthResets }) }, reason, at, deps);
    },
    unchangedFilter: () => ({ healthResets: healthResets ?? null, 'manualRetry.times': manualRetry?.times ?? null }),
    applyRow(current) {
      if (current.healthResets !== healthResets) {
        ({ health = newHealth, healthResets } = current);
        isAbandoned = false;
      }
      if (current.manualRetry?.times !== manualRetry?.times) {
        manualRetry = current.manualRetry;
        health = endPause(health, clock.now());
      }
    },
  };
}

/** Returns what an attempt says about the endpoint's health; null when it says nothing. */
function outcomeOf(attempt: Attempt): Outcome | null {
  const answer = receiverAnswer(attempt);
  if (!answer) return null;
  if (isAccepted(answer)) return 'delivered';
  return answer.outcome === 'error' && answer.errorClass === 'timeout' ? 'timeout' : 'failed';
}
