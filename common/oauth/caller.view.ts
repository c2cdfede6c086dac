import { z } from 'zod';
import type { Credential } from '../access/credential.ts';
import { scopes } from '../access/scopes.ts';
import { openEnum } from '../fields/open-enum.schema.ts';
import { modes } from '../modes.ts';
import { readOrganization } from '../organizations/read-organizations.ts';

/** The caller of a request: its organization and its credential. */
export const CallerView = z
  .object({
    organizationId: z.string(),
    organizationName: z.string(),
    mode: z.enum(modes),
    scopes: z.array(openEnum(scopes)).describe('What the credential may do.'),
    credential: z.object({
      kind: openEnum(['api_key', 'oauth']).describe('`oauth`: an access token of an application.'),
      id: z.string().describe('ID of the API key, or of the access that a user granted to the application.'),
      name: z.string().nullable().describe('Name of the API key, or of the application.'),
      clientId: z.string().nullable().describe('Client ID of the application. `null` for an API key.'),
      expiresAt: z.iso.datetime().nullable().describe('When the access token expires. `null` for an API key.'),
    }),
    createdAt: z.iso.datetime().describe('When the API key was created, or the access granted.'),
  })
  .meta({ id: 'Caller' });
export type CallerView = z.infer<typeof CallerView>;

/** Describes the caller of a request. The secret is not part of it. */
export async function describeCaller(caller: Credential): Promise<CallerView> {
  const { kind, id, organizationId, mode, scopes: own, actor, name, createdAt, expiresAt } = caller;
  const clientId = kind === 'oauth' ? actor.id : null;
  const organization = await readOrganization(organizationId);
  return {
    ...{ organizationId, organizationName: organization.name, mode, scopes: [...own] },
    credential: {
      ...{ kind: kind === 'oauth' ? 'oauth' : 'api_key', id, name, clientId },
      expiresAt: expiresAt?.toISOString() ?? null,
    },
    createdAt: createdAt.toISOString(),
  };
}
