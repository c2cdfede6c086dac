import { AppError, type Issue, invalid } from '#common/errors.ts';
import { resolveAddresses } from '#common/mail-jobs/create/resolve-addresses.ts';
import type { MailWarning } from '#common/mail-jobs/model/mail-job.model.ts';
import type { ReadySendRequest, SendRequest } from '#common/mail-jobs/model/send-request.ts';
import type { Mode, Owner } from '#common/modes.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { findUnusedVariables, findVariableFaults } from './find-variable-faults.ts';
import { readNamedTemplate } from './read-templates.ts';
import { recipientVariableOf, withRecipient } from './recipient-values.ts';
import { type LetterSource, startTypesetJob, waitForTypesetJob } from './start-typeset-job.ts';
import type { TemplateVersion } from './template.model.ts';
import type { MergeVariables } from './text/fill-template.ts';
import { parseTemplate } from './text/parse-template.ts';
import type { TypesetResult } from './typeset-job.model.ts';

/** How long a request waits for its letter. */
const maxWaitMs = 20_000;
const lateRetryS = 5;

export type ResolveDeps = { hints: Hints; maxStoredBytes: Record<Mode, number> };

/**
 * Returns a send request with the file that its template and variables give, as an upload of the owner. Throws
 * VALIDATION_ERROR, with an issue per variable that is missing or cannot be printed, before anything is typeset, stored or
 * debited. Otherwise throws as `setLetter`.
 */
export async function resolveTemplate(
  sendRequest: SendRequest,
  deps: ResolveDeps,
  at: Date,
): Promise<ReadySendRequest> {
  const { body, owner } = sendRequest;
  const { templateId = '', mergeVariables: given = {} } = body;
  const version = await readNamedTemplate(owner, templateId, body.templateVersion);
  const variables = await completeVariables(sendRequest, version, given);
  assertVariables(version, variables);
  const { language, text } = version;
  const { s3Key, pageCount } = await setLetter(owner, { language, text, variables }, deps, at);
  if (body.pages !== undefined && body.pages !== pageCount) {
    throw invalid(['pages'], `The letter has ${pageCount} pages, not ${body.pages}.`);
  }
  return {
    ...sendRequest,
    body: { ...body, files: [{ s3Key }], pages: pageCount },
    template: { templateId: version.templateId, version: version.version },
    warnings: findUnusedVariables(version, given).map(warnOfUnused),
  };
}

/** Adds the values of the only recipient. Several share one letter, so it has the values of none. */
async function completeVariables({ body, owner }: SendRequest, version: TemplateVersion, given: MergeVariables) {
  const needsRecipient = parseTemplate(version.text).variables.some((name) => recipientVariableOf(name) !== undefined);
  if (!needsRecipient || body.recipients.length > 1) return given;
  const { recipients } = await resolveAddresses(body, owner);
  return withRecipient(version, given, recipients[0] ?? null);
}

/** Throws VALIDATION_ERROR with an issue per faulty variable, at `mergeVariables` and its name. */
export function assertVariables(version: Pick<TemplateVersion, 'text'>, variables: MergeVariables): void {
  const issues: Issue[] = findVariableFaults(version, variables).map(({ name, message }) => ({
    path: ['mergeVariables', name],
    message,
  }));
  if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { issues });
}

function warnOfUnused(name: string): MailWarning {
  const message = `The template has no variable ((${name})). It was ignored.`;
  return { code: 'TEMPLATE_VARIABLE_UNUSED', path: ['mergeVariables', name], message };
}

/** A typeset letter in the store. */
export type StoredLetter = Extract<TypesetResult, { fault: null }>;

/**
 * Has a letter typeset by a worker and waits for it, up to 20 s. Throws VALIDATION_ERROR for a letter that cannot be
 * typeset, SERVICE_UNAVAILABLE when it takes longer or failed on our side, and as `startTypesetJob`.
 */
export async function setLetter(
  owner: Owner,
  source: LetterSource,
  { hints, maxStoredBytes }: ResolveDeps,
  at: Date,
): Promise<StoredLetter> {
  const started = await startTypesetJob(owner, source, { hints, maxStoredBytes: maxStoredBytes[owner.mode] }, at);
  const { result } = await waitForTypesetJob(started, maxWaitMs);
  if (result === undefined || result.isOurFault) {
    const message = 'The letter is not typeset yet. Nothing was sent or debited. Try again, with the same externalId.';
    throw new AppError('SERVICE_UNAVAILABLE', { message, retryAfterS: lateRetryS });
  }
  if (result.fault !== null) throw invalid(['templateId'], result.fault);
  return result;
}
