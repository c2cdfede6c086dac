import type { ErrorCode, Issue } from '#common/errors.ts';

/** Codes of refusals that come from the tools, not from the API. */
export type ToolErrorCode =
  | 'QUOTE_INVALID'
  | 'QUOTE_EXPIRED'
  | 'QUOTE_MISMATCH'
  | 'API_UNREACHABLE'
  | 'API_ANSWER_UNKNOWN';

type Details = { issues?: readonly Issue[] | undefined; retryAfterS?: number | undefined; cause?: unknown };

/** A refusal that an agent reads: an error of the API, or one of the tools. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ErrorCode | ToolErrorCode;
  readonly issues: readonly Issue[];
  /** Whole seconds after which a repeat may succeed, if the API named them. */
  readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode | ToolErrorCode, message: string, { issues = [], retryAfterS, cause }: Details = {}) {
    super(message, { cause });
    this.code = code;
    this.issues = issues;
    this.retryAfterS = retryAfterS;
  }
}

/** What an agent should do next, by the code of the refusal. */
export const nextSteps: Record<ErrorCode | ToolErrorCode, string> = {
  VALIDATION_ERROR: 'Correct the fields that issues name, then call the tool again.',
  UNAUTHORIZED: 'Stop, and tell the user that the API key or token is missing, wrong, expired or revoked.',
  INSUFFICIENT_FUNDS: 'Tell the user the balance (get_wallet) and ask for a top-up. Then prepare_letter again.',
  FORBIDDEN:
    'If the message names another way, take it. Else tell the user which scope or mode the key or token lacks.',
  NOT_FOUND:
    'Check the id: it is unknown, or belongs to the other mode. list_letters and list_addresses show known ids.',
  METHOD_NOT_ALLOWED: 'Tell the user that the tools and the API have different versions.',
  CONFLICT: 'Call get_letter to see the current state, then choose an action that it allows.',
  LIMIT_REACHED: 'Tell the user which limit the message names. Something must be deleted first.',
  NOT_CANCELLABLE: 'Tell the user that the letter is in print or was posted, and can no longer be stopped.',
  PRICE_CHANGED: 'Call prepare_letter again, show the new total to the user, and ask whether to send.',
  WEBHOOK_DISABLED: 'Tell the user that the webhook must be enabled first.',
  DELIVERY_IN_FLIGHT: 'Try again in a few seconds.',
  IDEMPOTENCY_MISMATCH: 'Call prepare_letter again, and send with the new quoteToken.',
  PAYLOAD_TOO_LARGE: 'Send less: text belongs into a file that create_upload_link takes.',
  UNSUPPORTED_MEDIA_TYPE: 'Tell the user that the tools and the API have different versions.',
  RATE_LIMITED: 'Wait for retryAfterS seconds, then make the same call again.',
  INTERNAL_ERROR: 'Make the same call once more with the same arguments; a letter is never sent twice.',
  PRICING_UNAVAILABLE: 'Tell the user that the operator has no tariff for this zone and service.',
  SERVICE_UNAVAILABLE: 'Wait for retryAfterS seconds, then make the same call with the same arguments.',
  QUOTE_INVALID:
    'Use the quoteToken of prepare_letter exactly as it was returned. If it is lost and send_letter was called before, look for the letter with list_letters before you prepare it again.',
  QUOTE_EXPIRED:
    'If send_letter was called before, look for the letter with list_letters first. Otherwise call prepare_letter again and ask the user to confirm the total.',
  QUOTE_MISMATCH:
    'If send_letter was called before, look for the letter with list_letters first. Otherwise call prepare_letter with the letter as it is now, show it and its total to the user, and ask whether to send.',
  API_UNREACHABLE:
    'Make the same call again with the same arguments, which never sends a letter twice; then tell the user.',
  API_ANSWER_UNKNOWN:
    'The call may have worked. Make the same call once more with the same arguments; send_letter never sends a letter twice. If it fails again, tell the user that the address may not be that of a Bluejay API.',
};
