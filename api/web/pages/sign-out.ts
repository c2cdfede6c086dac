import { z } from 'zod';
import { endSession } from '../../../common/sessions/sessions.ts';
import { redirect } from '../answer.ts';
import { defineAction } from '../page.ts';
import { signInPage } from './sign-in.ts';

/** Ends the session; whoever holds a copy of its cookie holds nothing. */
export const signOutAction = defineAction({
  path: '/sign-out',
  access: 'anyone',
  form: z.object({}),
  page: signInPage,

  async run({ visit }) {
    if (visit.sessionId !== null) await endSession(visit.sessionId);
    return redirect(visit.href('/sign-in', { notice: 'signedOut' }), { end: true });
  },
});
