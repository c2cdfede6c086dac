import { z } from 'zod';
import { lineOfText } from '../common/text.schema.ts';

/** The header of routes that do a thing once, however often the same request comes. */
export function idempotencyKeyHeader(description: string) {
  return z.object({ 'idempotency-key': lineOfText(255).optional().describe(description) });
}
