import type { Request } from 'express';
import { AppError, type ErrorCode, type Issue } from '#common/errors.ts';
import type { Mode } from '#common/modes.ts';
import { type RequestOutcome, requestOutcomes, sandboxHeader } from '#common/sandbox/steps/sandbox-outcomes.ts';
import { commonErrors } from './openapi/describe-errors.ts';
import type { AnyRoute } from './route.ts';

/**
 * Returns the outcome that a request asks for in its header; null for an ordinary request. A value that is unknown, that
 * the route never has as a result, or a live credential is an issue.
 */
export function readSandboxOutcome(
  request: Request,
  route: Pick<AnyRoute, 'method' | 'errors'>,
  mode: Mode,
  issues: Issue[],
): RequestOutcome | null {
  const given = request.get(sandboxHeader);
  if (given === undefined) return null;
  const known = Object.entries<RequestOutcome>(requestOutcomes).filter(([, each]) => fits(each, route));
  const outcome = known.find(([name]) => name === given)?.[1];
  if (mode === 'live') issues.push(issue('Chooses an outcome in test mode. Leave it out, or use a test key.'));
  else if (!outcome) issues.push(issue(`Must be one of these here: ${known.map(([name]) => name).join(', ')}.`));
  return mode === 'live' ? null : (outcome ?? null);
}

/** A read has no effect that could be carried out, and each route has only its own errors. */
function fits(
  { code, isCarriedOut }: RequestOutcome,
  { method, errors }: Pick<AnyRoute, 'method' | 'errors'>,
): boolean {
  const isError = (each: ErrorCode) => commonErrors.includes(each) || errors.includes(each);
  return isError(code) && !(isCarriedOut && method === 'get');
}

function issue(message: string): Issue {
  return { path: [sandboxHeader], message };
}

/** Returns the error that a request with this outcome is answered with. */
export function toSandboxError({ code, retryAfterS }: RequestOutcome): AppError {
  return new AppError(code, retryAfterS === undefined ? {} : { retryAfterS });
}
