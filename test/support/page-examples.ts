import { createAddress } from '../../common/addresses/change-addresses.ts';
import { listMailJobs } from '../../common/mail-jobs/read-mail-jobs.ts';
import { createPasswordReset } from '../../common/sessions/reset-password.ts';
import { anApplication, anAttempt } from './application.ts';

import { aLetter, aPostalAddress } from './builders.ts';
import type { WebUser } from './web-host.ts';
import type { World } from './world.ts';

/** What there is to be shown: whose pages are opened, and where. */
export type PageScene = { world: World; user: WebUser };

/** For pages that need more than their path: what to open, made for this user. By the page's path. */
export const pageExamples: Record<string, (scene: PageScene) => Promise<string>> = {
  '/reset-password': async ({ world, user }) => {
    const reset = await createPasswordReset(user.email, world.clock.now());
    return `/reset-password?token=${reset?.token}`;
  },
  '/admin/organizations/:organizationId': async ({ user }) => `/admin/organizations/${user.organizationId}`,
  '/admin/letters/:mailJobId': async ({ world }) => {
    const customer = await world.customer({ mode: 'live', balanceCents: 10_000 });
    const { body } = await customer.http.post('/v1/mails', await aLetter(customer));
    return `/admin/letters/${body.mailJobId}`;
  },
  '/account/letters/:mailJobId': async ({ world, user }) => {
    const owner = { organizationId: user.organizationId, mode: 'test' } as const;
    // The last one has failed: the page with the most to say.
    const { rows } = await listMailJobs(owner, { limit: 1, status: 'failed' }, world.services.cursors);
    return `/account/letters/${rows[0]?._id}`;
  },
  '/account/addresses/:addressId': async (scene) => `/account/addresses/${await anEntry(scene)}`,
  '/account/addresses/:addressId/delete': async (scene) => `/account/addresses/${await anEntry(scene)}/delete`,
  '/oauth/authorize': async ({ world }) => {
    const { clientId, redirectUri } = await anApplication(world);
    return `/oauth/authorize?${anAttempt({ clientId, redirectUri, scopes: ['read', 'send'] }).query}`;
  },
};

async function anEntry({ world, user: { organizationId } }: PageScene): Promise<string> {
  const request = { kind: 'SENDER' as const, ...aPostalAddress({ name: 'Office' }), label: 'Head office' };
  return (await createAddress({ organizationId, mode: 'test' }, request, world.clock.now()))._id;
}
