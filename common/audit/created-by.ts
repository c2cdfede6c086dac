import { z } from 'zod';
import type { Owner } from '../modes.ts';
import * as row from '../platform/mongo/row.ts';
import { type AuditActor, actorFields } from './audit.model.ts';

/** The owner of a new resource, and who creates it. Seeds and tests create without an actor. */
export type Creator = Owner & { actor?: AuditActor };

/** Field of a row: written once. Absent when seeds and tests created the row, or a version before the field. */
export const createdByField = row.optional(row.part(actorFields));
type Created = { createdBy?: AuditActor };

/** Returns the field of a new row. */
export function creatorOf(actor: AuditActor | undefined): Created {
  return actor === undefined ? {} : { createdBy: actor };
}

/** Who created a resource. Null for one without a record of it. */
export const CreatedBy = z
  .object({
    kind: z.enum(['api_key', 'application', 'user']),
    id: z
      .string()
      .nullable()
      .describe('An application sees its own id alone, and null for all others. An API key sees every id.'),
  })
  .nullable()
  .describe('Who created it.');

const creatorKinds = { key: 'api_key', application: 'application', user: 'user' } as const;

/** Who reads a resource. */
export type CreatedByViewer = { actor?: AuditActor | undefined };

/** Returns the creator of a resource as `viewer` may see it: for a viewer without an actor, the kind alone. */
export function toCreatedBy({ createdBy }: Created, { actor }: CreatedByViewer): z.infer<typeof CreatedBy> {
  const kind = creatorKinds[createdBy?.kind as keyof typeof creatorKinds];
  if (createdBy === undefined || kind === undefined) return null;
  const isOwn = kind === 'application' && createdBy.id === actor?.id;
  const isShown = actor !== undefined && (actor.kind !== 'application' || isOwn);
  return { kind, id: isShown ? createdBy.id : null };
}
