import type { Claim } from '../platform/due-work.ts';
import type { KeyRing } from '../secrets.ts';
import type { AttemptRecorder } from './attempt-recorder.ts';
import {
  type EndpointHealth,
  endPause,
  hasFailedTooLong,
  isPaused,
  newHealth,
  noteOutcome,
  type Outcome,
} from './breaker.ts';
import { isAccepted } from './delivery-answer.ts';
import { disableWebhook } from './disable-webhook.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { type PermitRequest, returnPermits, takePermits } from './origin.model.ts';
import { createPostGate, type PostGate } from './post-gate.ts';
import type { WebhookSender } from './post-signed.ts';
import { type Attempt, isGone, type RecordDeps, realAnswer } from './record-attempts.ts';

/** After this long an endpoint gives its place to one that waits, and is due again at once. */
const maxTurnMs = 30_000;

export type TurnDeps = RecordDeps & { sender: WebhookSender; keyRing: KeyRing; recorder: AttemptRecorder };

/** `closing`: no further post may start; `signal`: those under way must end, too. */
export type TurnEnding = { readonly closing: AbortSignal; readonly signal: AbortSignal };

/** What a worker knows of an endpoint while it holds its lease. */
export type DeliveryTurn = TurnEnding & {
  readonly deps: TurnDeps;
  /** How the endpoint has been doing, this turn included. */
  readonly health: EndpointHealth;
  /** Whether no further post may start: told to stop, out of time, paused, or not wanted by its receiver. */
  isOver(): boolean;
  /** Whether its webhook was disabled in this turn. */
  isGivenUp(): boolean;
  /** Where posts may start at this moment, as half a second ago at the latest; null for nowhere. */
  readonly findTarget: PostGate;
  /** Its webhook has been enabled since it was disabled in this turn. */
  takeUpAgain(): void;
  /** Posts that may be under way at once to this origin, up to `wanted`; 0 while others use it. */
  takePermits(origin: string, wanted: number): Promise<number>;
  /** Gives them back, when nothing is under way any more. */
  returnPermits(): Promise<void>;
  /** Learns from an attempt that is on record; may disable the webhook. */
  learn(attempt: Attempt): Promise<void>;
  /** What a write of the health must find on the endpoint's row: no reset, and no wish of its owner, not noticed yet. */
  unlessChanged(): { resets: number | null; 'asked.times': number | null };
  /**
   * Looks at the row as it stands now: after a reset all that was learned is forgotten, and when its owner has asked for
   * a delivery, a pause is over.
   */
  notice(row: EndpointRecord): void;
};

export function startTurn({ row, token }: Claim<EndpointRecord>, deps: TurnDeps, ending: TurnEnding): DeliveryTurn {
  const { clock } = deps;
  const { closing, signal } = ending;
  const { organizationId } = row;
  let permits: (PermitRequest & { granted: number }) | null = null;
  let lastTaking: Promise<unknown> = Promise.resolve();
  const endsAt = performance.now() + maxTurnMs;
  let { health = newHealth, resets, asked } = row;
  let isGivenUp = false;

  return {
    deps,
    closing,
    signal,
    get health() {
      return health;
    },
    isOver: () =>
      closing.aborted || signal.aborted || isGivenUp || performance.now() >= endsAt || isPaused(health, clock.now()),
    isGivenUp: () => isGivenUp,
    findTarget: createPostGate(row, deps.keyRing),
    takeUpAgain() {
      isGivenUp = false;
    },
    async takePermits(origin, wanted) {
      if (permits?.origin === origin && permits.granted >= wanted) return wanted;
      if (permits && permits.origin !== origin) await returnPermits(permits);
      const request = { origin, endpointId: row._id, organizationId, token, wanted };
      permits = { ...request, granted: 0 };
      const taking = takePermits(request, clock.now());
      lastTaking = taking.catch(() => {});
      permits = { ...request, granted: await taking };
      return permits.granted;
    },
    async returnPermits() {
      // What is still being taken would come after its return, and be held for nobody.
      await lastTaking;
      if (permits) await returnPermits(permits);
    },
    async learn(attempt) {
      const outcome = outcomeOf(attempt);
      if (!outcome || isGivenUp) return;
      const at = clock.now();
      health = noteOutcome(health, outcome, at);
      const reason = isGone(attempt) ? 'GONE' : hasFailedTooLong(health, at) ? 'FAILING' : null;
      if (!reason || row.webhookId === null) return;
      isGivenUp = true;
      await disableWebhook({ ...row, ...(resets !== undefined && { resets }) }, reason, at, deps);
    },
    unlessChanged: () => ({ resets: resets ?? null, 'asked.times': asked?.times ?? null }),
    notice(current) {
      if (current.resets !== resets) {
        ({ health = newHealth, resets } = current);
        isGivenUp = false;
      }
      if (current.asked?.times !== asked?.times) {
        asked = current.asked;
        health = endPause(health, clock.now());
      }
    },
  };
}

/** What an attempt says about the endpoint; null for one that says nothing. */
function outcomeOf(attempt: Attempt): Outcome | null {
  const answer = realAnswer(attempt);
  if (!answer) return null;
  if (isAccepted(answer)) return 'delivered';
  return answer.outcome === 'error' && answer.errorClass === 'timeout' ? 'timeout' : 'failed';
}
