import { createPasswordReset } from '../../common/sessions/reset-password.ts';
import { anApplication, anAttempt } from './application.ts';
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
  '/oauth/authorize': async ({ world }) => {
    const { clientId, redirectUri } = await anApplication(world);
    return `/oauth/authorize?${anAttempt({ clientId, redirectUri, scopes: ['read', 'send'] }).query}`;
  },
};
