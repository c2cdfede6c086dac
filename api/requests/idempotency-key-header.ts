import { z } from 'zod';
import { lineOfText } from '#common/fields/text.schema.ts';

/** Returns the header schema of routes that run once per idempotency key. */
export function idempotencyKeyHeader(description: string) {
  return z.object({ 'idempotency-key': lineOfText(255).optional().describe(description) });
}
