type CompletedBulk = { bulkId: string; sent: number; refused: number; totalCents: number };

/** Returns the webhook payload of a bulk whose rows are all mail jobs, as declared in `eventPayloadSchemas`. */
export function bulkCompletedPayload({ bulkId, sent, refused, totalCents }: CompletedBulk, at: Date) {
  return { event: 'BULK_COMPLETED', bulkId, sent, refused, totalCents, completedAt: at.toISOString() } as const;
}
