import { plusMs } from '../clock.ts';
import { type Claim, finishClaim, reloadClaim } from '../platform/due-work.ts';
import { isPaused, isProbing } from './breaker.ts';
import type { DeliveryRecord } from './delivery.model.ts';
import { findBatch, findNextDue, findProbe, giveBack, maxBatch, takeBatch } from './delivery-batch.ts';
import { type DeliveryTurn, startTurn, type TurnDeps, type TurnEnding } from './delivery-turn.ts';
import { discardMarked } from './discard-waiting.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { maxInFlight, sendBatch } from './send-batch.ts';
import { takeBackLeftovers } from './take-back-leftovers.ts';

/** When the origin is in use by others, it is asked again after this long, and a little more. */
const refusedPauseMs = 1_000;

/**
 * Sends what is due for a leased endpoint, batch by batch, until nothing is; then gives the endpoint back. Begins with
 * what is `handed`, when the endpoint was taken for that. A worker that dies meanwhile leaves rows that the next one
 * sends again: a receiver may see a delivery twice, under one id.
 */
export async function sendDueDeliveries(
  claim: Claim<EndpointRecord>,
  deps: TurnDeps,
  ending: TurnEnding,
  handed?: Handed,
): Promise<void> {
  const { signal } = ending;
  const turn = startTurn(claim, deps, ending);
  try {
    let ahead: Ahead = handed ? await awaitHanded(claim, handed, turn) : await lookAhead(claim, turn);
    // What is added after the claim was read raises its version, and finishing fails: then there is more to look at.
    for (let current: Claim<EndpointRecord> | null = claim; current && !signal.aborted; ) {
      const { isMore, nextAt } = await sendSome(current, turn, ahead);
      ahead = null;
      const set: Record<string, unknown> = turn.health === current.row.health ? {} : { health: turn.health };
      if (!isMore && !signal.aborted && (await finishClaim(current, { set, nextAt }))) return;
      current = await reloadClaim(current, { set, onlyIf: turn.unlessChanged() });
      if (current) turn.notice(current.row);
    }
  } finally {
    await turn.returnPermits();
  }
}

/** Deliveries that the endpoint was taken for, which bear its lease, and where they would go as far as was known. */
export type Handed = { url: string; most: number; deliveries: Promise<readonly DeliveryRecord[]> };

/** Rows for the first batch, looked for beside all else that begins a turn; null when the look came too early. */
type Ahead = { rows: readonly DeliveryRecord[]; areTaken: boolean } | null;

/**
 * While they are being stored, all else is found out that a post must know. The endpoint is not left before they are:
 * whoever took it in between would not see them, and nobody would look for them again.
 */
async function awaitHanded(
  claim: Claim<EndpointRecord>,
  { url, most, deliveries }: Handed,
  turn: DeliveryTurn,
): Promise<Ahead> {
  const [stored, ...known] = await Promise.allSettled([
    deliveries,
    turn.findTarget(),
    turn.takePermits(new URL(url).origin, Math.min(most, maxInFlight)),
  ]);
  if (stored.status === 'rejected') throw stored.reason;
  const rows = stored.value;
  const failed = known.find((end) => end.status === 'rejected');
  if (failed || turn.signal.aborted) await giveBack(rows, claim.token);
  if (failed) throw failed.reason;
  if (turn.signal.aborted) return null;
  // Another process has the event. Nobody else may come here soon, so what a dead worker has left is not put off.
  return rows.length > 0 ? { rows, areTaken: true } : await lookAhead(claim, turn);
}

async function lookAhead(claim: Claim<EndpointRecord>, turn: DeliveryTurn): Promise<Ahead> {
  const now = turn.deps.clock.now();
  const [hadLeftovers, rows] = await Promise.all([
    takeBackLeftovers(claim, now, turn.deps),
    findRows(claim, turn, now),
    turn.findTarget(),
  ]);
  return hadLeftovers ? null : { rows, areTaken: false };
}

/** A probe is one delivery, alone. */
const limitOf = ({ health }: DeliveryTurn, now: Date) => (isProbing(health, now) ? 1 : maxBatch);

const findRows = ({ id, row }: Claim<EndpointRecord>, { health }: DeliveryTurn, now: Date) =>
  isProbing(health, now) ? findProbe(row, now) : findBatch(id, now);

/** `isMore`: another batch is due; else `nextAt` is when the endpoint is due again, if ever. */
type Sent = { isMore: boolean; nextAt: Date | null };

async function sendSome(claim: Claim<EndpointRecord>, turn: DeliveryTurn, ahead: Ahead): Promise<Sent> {
  const { clock, metrics } = turn.deps;
  const now = clock.now();
  if (turn.isGivenUp()) return await giveUp(claim, turn);
  const areTaken = ahead?.areTaken ?? false;
  // What is taken already is given back by the batch itself.
  if (turn.isOver() && !areTaken) return await whatIsLeft(claim, turn);
  const target = await turn.findTarget();
  if (!target) {
    if (ahead?.areTaken) {
      await giveBack(ahead.rows, claim.token);
      await takeBackLeftovers(claim, now, turn.deps);
    }
    return await giveUp(claim, turn);
  }
  const limit = limitOf(turn, now);
  const found = ahead?.rows ?? (await findRows(claim, turn, now));
  const [first] = found;
  if (!first) return await whatIsLeft(claim, turn);

  const { origin } = new URL(target.url ?? first.url);
  const [{ deliveries, expired }, granted] = await Promise.all([
    areTaken ? { deliveries: found, expired: 0 } : takeBatch(claim, found, now),
    // No more than it can use: others post to this origin, too.
    turn.takePermits(origin, Math.min(found.length, maxInFlight)),
  ]);
  if (expired > 0) metrics.deliveries.inc({ result: 'failed', error_class: 'expired' }, expired);
  if (deliveries.length === 0) return { isMore: !turn.isOver(), nextAt: now };
  if (granted === 0) {
    await giveBack(deliveries, claim.token);
    const { random } = turn.deps;
    return { isMore: false, nextAt: plusMs(now, Math.ceil(refusedPauseMs * (1 + random()))) };
  }
  await sendBatch({ claim, deliveries, lanes: granted, turn });
  // Whoever is handed something does not look around before.
  const hadLeftovers = areTaken && (await takeBackLeftovers(claim, clock.now(), turn.deps));
  const isMore = turn.isGivenUp() || ((hadLeftovers || deliveries.length === limit) && !turn.isOver());
  return isMore ? { isMore, nextAt: null } : await whatIsLeft(claim, turn);
}

/** Its webhook is deleted or disabled: nothing that waits is wanted any more, unless it was enabled since. */
async function giveUp(claim: Claim<EndpointRecord>, turn: DeliveryTurn): Promise<Sent> {
  const isStillEnded = async () => (await turn.findTarget(0)) === null;
  const isEnded = await discardMarked(claim, turn.deps.clock.now(), isStillEnded);
  if (!isEnded) turn.takeUpAgain();
  return { isMore: !isEnded, nextAt: null };
}

/** Looks whether more is due before the endpoint is given back; while it is paused, nothing is due. */
async function whatIsLeft(claim: Claim<EndpointRecord>, turn: DeliveryTurn): Promise<Sent> {
  const nextDue = await findNextDue(claim.id);
  if (!nextDue) return { isMore: false, nextAt: null };
  const now = turn.deps.clock.now();
  const { pausedUntil } = turn.health;
  if (pausedUntil && isPaused(turn.health, now)) {
    return { isMore: false, nextAt: new Date(Math.max(nextDue.getTime(), pausedUntil.getTime())) };
  }
  return { isMore: nextDue <= now && !turn.isOver(), nextAt: nextDue };
}
