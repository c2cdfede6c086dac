import { z } from 'zod';

/**
 * One of `values`, in a list that may grow: its documentation calls it a text, so that clients made from it today take
 * what a later version adds.
 */
export function openList<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values).meta({ documentedAs: { type: 'string', examples: [...values] } });
}
