/**
 * Returns a pseudo-random generator (mulberry32) of numbers in [0, 1), and its seed. A failing test prints the seed, and
 * passes it here to repeat the run.
 */
export function createRandom(seed = Math.floor(Math.random() * 2 ** 31)): { seed: number; random: () => number } {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { seed, random };
}
