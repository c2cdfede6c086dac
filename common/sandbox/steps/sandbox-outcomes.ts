import type { ErrorCode } from '#common/errors.ts';
import type { Failure } from '#common/mail-jobs/model/failure.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import type { ReturnReason } from '#common/mail-jobs/model/returned.ts';
import type { Mode } from '#common/modes.ts';

/** A recipient whose first address line starts with this chooses what happens to its copy. Only in test mode. */
export const sandboxPrefix = 'sandbox:';

/** What happens to one copy of a sandbox letter instead of the ordinary steps. */
export type CopyOutcome = {
  /** For the guides. */
  effect: string;
  /** The copy fails in place of reaching this status. */
  fails?: { insteadOf: MailStatus; failure: Failure };
  /** The copy comes back, as an automatic step after this status. `days`: after the hand-off, for letters on a clock. */
  returns?: { after: 'posted' | 'delivered'; reason: ReturnReason; days: number };
  /** The status that the copy does not leave by itself. */
  restsAt?: MailStatus;
  /** The statuses that take ten times as long to reach. */
  slowTo?: readonly MailStatus[];
};

const printFailed: Failure = {
  code: 'PRINT_FAILED',
  message: 'The letter could not be printed. The recipient asked for it.',
};
const depositFailed: Failure = {
  code: 'DEPOSIT_FAILED',
  message: 'The letter could not be handed in at the post office. The recipient asked for it.',
};

/** How late most letters come back, and one that waits for 15 days at the post office. */
const returnDays = { refused: 3, most: 5, waiting: 17 } as const;

function comesBack(reason: ReturnReason, days: number = returnDays.most): CopyOutcome {
  return { effect: `\`posted\`, then returned: \`${reason}\``, returns: { after: 'posted', reason, days } };
}

/** The first address lines that choose an outcome, without their prefix. The guide and its tests list these rows. */
export const copyOutcomes = {
  'print-failure': {
    effect: '`failed` with `PRINT_FAILED` instead of `printed`, refunded',
    fails: { insteadOf: 'printed', failure: printFailed },
  },
  'deposit-failure': {
    effect: '`printed`, then `failed` with `DEPOSIT_FAILED`, refunded',
    fails: { insteadOf: 'posted', failure: depositFailed },
  },
  undeliverable: comesBack('unknown_address'),
  'insufficient-address': comesBack('insufficient_address'),
  moved: comesBack('moved'),
  refused: comesBack('refused', returnDays.refused),
  unclaimed: comesBack('unclaimed', returnDays.waiting),
  deceased: comesBack('deceased'),
  'returned-other': comesBack('other'),
  'returned-after-delivery': {
    effect: '`delivered` if registered, then returned: `refused`',
    returns: { after: 'delivered', reason: 'refused', days: returnDays.most },
  },
  late: { effect: '`delivered` ten times later than usual, if registered', slowTo: ['delivered'] },
  slow: {
    effect: 'each step takes ten times as long, for the whole letter',
    slowTo: ['printed', 'posted', 'delivered'],
  },
  stuck: { effect: 'rests at `printed` until `simulate`', restsAt: 'printed' },
} as const satisfies Record<string, CopyOutcome>;

/** Returns the outcome that a recipient's first address line asks for; null for an ordinary one. */
export function outcomeOf({ line1 }: { line1: string }): CopyOutcome | null {
  return Object.entries<CopyOutcome>(copyOutcomes).find(([name]) => line1 === sandboxPrefix + name)?.[1] ?? null;
}

/** No street begins like this: a line that spells the prefix differently is not an address either. */
const anyChoice = /^sandbox\s*:/i;

/** Returns what is wrong with a recipient's first address line as a choice of outcome; null when nothing is. */
export function checkOutcome({ line1 }: { line1: string }, mode: Mode): string | null {
  if (!anyChoice.test(line1)) return null;
  if (mode === 'live') return `${sandboxPrefix} chooses an outcome in test mode. Give the address, or use a test key.`;
  return outcomeOf({ line1 }) ? null : `Must be ${sandboxPrefix} with one of: ${Object.keys(copyOutcomes).join(', ')}.`;
}

/** The header that chooses the outcome of one request in test mode. */
export const sandboxHeader = 'bluejay-sandbox';

/** What a request is answered with instead of its result. */
export type RequestOutcome = {
  /** For the guides. */
  effect: string;
  code: ErrorCode;
  /** Seconds. */
  retryAfterS?: number;
  /** The request is carried out all the same, and only its answer is lost. */
  isCarriedOut?: true;
};

/** The values of the header. The guide and its tests list these rows. */
export const requestOutcomes = {
  'insufficient-funds': { effect: 'refused, as with an empty wallet', code: 'INSUFFICIENT_FUNDS' },
  'pricing-unavailable': { effect: 'refused, as without a tariff', code: 'PRICING_UNAVAILABLE' },
  'rate-limited': { effect: 'refused, as above the quota', code: 'RATE_LIMITED', retryAfterS: 2 },
  'service-unavailable': {
    effect: 'refused, as without the database; nothing is stored',
    code: 'SERVICE_UNAVAILABLE',
    retryAfterS: 2,
  },
  'answer-lost': {
    effect: 'carried out, but answered as if it had failed: a repeat must not send twice',
    code: 'SERVICE_UNAVAILABLE',
    retryAfterS: 1,
    isCarriedOut: true,
  },
} as const satisfies Record<string, RequestOutcome>;
