import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOf } from './mongo.ts';

/** Processes that get in each other's way one after the other; none that does not. */
export type Turns = {
  /** Whether another process was in the way within the last second. */
  isContended(): boolean;
  /** Says that another process was in the way just now. */
  noteConflict(): void;
  /**
   * Waits for this process's turn, for a quarter of a second at most, when others were in its way within the last
   * second; undefined when there is nobody to wait for. Never rejects: nothing is wrong without a turn, only slower.
   */
  take(): Promise<void> | undefined;
  /** Gives back a turn that was taken. */
  end(): void;
};

type TurnRecord = { _id: string; token: string; until: Date; next: string; nextUntil: Date };

/** Whoever dies in its turn holds the others up for so long. */
const turnMs = 300;
/** Whoever is next and does not come loses its place. */
const placeMs = 50;
const maxWaitMs = 250;
const askEveryMs = 3;
/** For so long after a conflict, or after having had to wait, turns are asked for. */
const contendedMs = 1_000;

/**
 * Turns between processes, kept as one row in the database by its own clock. They save work and decide nothing: two
 * that believe it to be their turn conflict, as they would without. Who has waited comes before who was just there.
 */
export function createTurns(name: string): Turns {
  const me = randomUUID();
  let contendedUntil = 0;
  let taken = 0;
  /** By `performance.now()`; 0 without a turn. */
  let mineUntil = 0;

  const isContended = () => performance.now() < contendedUntil;
  const noteConflict = () => {
    contendedUntil = performance.now() + contendedMs;
  };

  async function ask(): Promise<boolean> {
    const token = `${me} ${taken}`;
    const row = await turnRows().findOneAndUpdate({ _id: name }, takeOrQueue(me, token), {
      upsert: true,
      returnDocument: 'after',
      writeConcern: { w: 1, journal: false },
    });
    return row?.token === token;
  }

  async function waitForTurn(): Promise<void> {
    const endsAt = performance.now() + maxWaitMs;
    taken += 1;
    try {
      while (!(await ask())) {
        // Whoever has to wait is not alone.
        noteConflict();
        if (performance.now() >= endsAt) return;
        await sleep(askEveryMs);
      }
      mineUntil = performance.now() + turnMs;
    } catch {
      // What follows will find out by itself that the database is away.
    }
  }

  return {
    isContended,
    noteConflict,
    take: () => (performance.now() < mineUntil || !isContended() ? undefined : waitForTurn()),
    end() {
      if (mineUntil === 0) return;
      mineUntil = 0;
      const mine = { _id: name, token: `${me} ${taken}` };
      // Without waiting: a turn that is not given back is over soon.
      turnRows()
        .updateOne(mine, { $set: { until: new Date(0) } }, { writeConcern: { w: 1, journal: false } })
        .catch(() => {});
    },
  };
}

const turnRows = () => rowsOf<TurnRecord>({ collection: { name: 'leases' } });

/** Takes the turn when it is free and nobody else is next; else takes the next place, when that is free. */
function takeOrQueue(me: string, token: string) {
  const isFree = { $or: [{ $lte: ['$until', '$$NOW'] }, { $eq: ['$token', token] }] };
  const isMyPlace = { $or: [{ $eq: ['$next', me] }, { $lte: ['$nextUntil', '$$NOW'] }] };
  const isMine = { $and: [isFree, isMyPlace] };
  const choose = (ifMine: unknown, ifMyPlace: unknown, otherwise: unknown) => ({
    $cond: [isMine, ifMine, { $cond: [isMyPlace, ifMyPlace, otherwise] }],
  });
  const inMs = (ms: number) => ({ $add: ['$$NOW', ms] });
  // Most looks of whoever waits change nothing, and so write nothing.
  const isPlaceGood = { $and: [{ $eq: ['$next', me] }, { $gt: ['$nextUntil', inMs(placeMs / 2)] }] };
  return [
    {
      $set: {
        token: choose(token, '$token', '$token'),
        until: choose(inMs(turnMs), '$until', '$until'),
        next: choose('', me, '$next'),
        nextUntil: choose(new Date(0), { $cond: [isPlaceGood, '$nextUntil', inMs(placeMs)] }, '$nextUntil'),
      },
    },
  ];
}
