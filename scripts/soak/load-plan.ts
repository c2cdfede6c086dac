/** What a customer does, and its share of the arrivals. Four in ten arrivals send letters, six read. */
const shares = {
  'own document': 20,
  template: 8,
  'live letter': 7,
  bulk: 0.5,
  repeat: 4.5,
  'read letter': 25,
  'list letters': 12,
  'read wallet': 6,
  'OAuth read': 14,
  'OAuth refresh': 3,
} as const;

export type ArrivalKind = keyof typeof shares;

export const arrivalKinds = Object.keys(shares) as ArrivalKind[];

/** `pick` chooses the customer, the document or the letter, in [0, 1). */
export type Arrival = { n: number; kind: ArrivalKind; pick: number };

const total = Object.values(shares).reduce((sum, share) => sum + share, 0);
/** Letters of a bulk. */
export const rowsPerBulk = 20;
const { 'own document': own, template, 'live letter': live, bulk } = shares;
/** A mean. */
export const lettersPerArrival = (own + template + live + bulk * rowsPerBulk) / total;

/** Streams of one seed, so that more faults do not change the arrivals. */
const [kindStream, pickStream] = [1, 2];

/** Returns what the nth customer does. The same seed gives the same arrivals at every rate. */
export function arrivalOf(seed: number, n: number): Arrival {
  let left = randomAt(seed, kindStream, n) * total;
  const kind = arrivalKinds.find((each) => {
    left -= shares[each];
    return left < 0;
  });
  return { n, kind: kind ?? 'read letter', pick: randomAt(seed, pickStream, n) };
}

/** Returns the nth pseudo-random number in [0, 1) of a stream (mulberry32 of the three numbers). */
export function randomAt(seed: number, stream: number, n: number): number {
  let state = Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(stream, 0x85ebca6b);
  state = (state + Math.imul(n + 1, 0x6d2b79f5)) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
