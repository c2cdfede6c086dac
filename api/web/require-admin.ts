import type { RequestHandler } from 'express';
import type { Clock } from '../../common/clock.ts';
import { beginVisit, type VisitOptions } from './visit.ts';
import { WebError } from './web-error.ts';

/** For what is no page of ours: lets administrators pass, sends strangers to the sign-in and everybody else away. */
export function createRequireAdmin({ cookies, csrf, clock }: VisitOptions & { clock: Clock }): RequestHandler {
  return async (request, response, next) => {
    const visit = await beginVisit(request, response, { cookies, csrf, isEnglish: false, now: clock.now() });
    if (!visit.user) return response.redirect(303, visit.href('/sign-in', { next: visit.askedFor }));
    if (!visit.user.isAdmin) throw new WebError('FORBIDDEN');
    next();
  };
}
