import { z } from 'zod';

/** An enum that may grow. Its documentation says string, so clients generated today accept values added later. */
export function openEnum<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values).meta({ documentedAs: { type: 'string', examples: [...values] } });
}
