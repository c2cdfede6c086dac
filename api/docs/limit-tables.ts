import { maxActiveKeys } from '#common/access/api-keys.ts';
import type { Config } from '#common/config/config.ts';
import { bytesPerGb } from '#common/config/variables.ts';
import { maxDaysAhead } from '#common/mail-jobs/rules/plan-drop.ts';
import { lifetimes } from '#common/oauth/lifetimes.ts';
import { maxAccessTokens } from '#common/oauth/tokens/rotate-refresh-token.ts';
import { type CutoffRules, serviceTypes } from '#common/services.ts';
import { addressTtlS, usableMs } from '#common/uploads/create-upload.ts';
import { maxUploadBytes } from '#common/uploads/upload.schema.ts';
import { maxAgeMs, maxRedelivered } from '#common/webhooks/console/redeliver.ts';
import { deliveryTtlMs, retryDelaysMs } from '#common/webhooks/deliveries/retry-schedule.ts';
import { attemptTimeoutMs } from '#common/webhooks/egress/webhook-client.ts';
import { originLimits } from '#common/webhooks/endpoints/origin.model.ts';
import { maxStored } from '#common/webhooks/registry/webhook-quota.ts';
import { maxInFlight } from '#common/webhooks/sending/send-queue.ts';
import { maxBodyBytes } from '../middleware/read-body.ts';
import type { ApiServices } from '../route.ts';
import { code, markdownTable } from './markdown-table.ts';

/** The settings of this installation that the guides show. */
export type ShownSettings = Pick<Config, 'rateLimits'> &
  Pick<ApiServices, 'maxActiveWebhooks' | 'maxStoredBytes' | 'sandbox' | 'cutoffs'>;

type Row = [limit: string, value: string, setting?: string];

/** Returns the tables of limits and the settings in the text of the guides, by the name of their placeholder. */
export function limitTables(settings: ShownSettings): Record<string, string> {
  const { stepDelayS, pauseS } = settings.sandbox;
  return {
    'cutoff-times': cutoffTimes(settings.cutoffs),
    'production-lead': `${count(settings.cutoffs.leadMinutes)}\u00a0min`,
    'sandbox-step': inWords(stepDelayS * 1_000),
    'sandbox-pause': inWords(pauseS * 1_000),
    'rate-limits': tableOf(rateLimitRows(settings)),
    'storage-limits': tableOf(storageRows(settings)),
    'webhook-limits': tableOf(webhookRows(settings)),
    'oauth-limits': tableOf(oauthRows(settings)),
  };
}

/** Returns `15:00`, or `15:00 (standard, prior) and 14:30 (registered)` for services with different cutoffs. */
function cutoffTimes({ timeOf }: CutoffRules): string {
  const byTime = [...Map.groupBy(serviceTypes, (serviceType) => timeOf[serviceType])];
  if (byTime.length === 1) return timeOf.standard;
  return byTime.map(([time, services]) => `${time} (${services.map(code).join(', ')})`).join(' and ');
}

function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(([limit, value, setting]) => [limit, value, setting ? code(setting) : '']);
  return markdownTable(['Limit', 'Value', 'Setting'], cells);
}

function rateLimitRows({ rateLimits }: ShownSettings): Row[] {
  const { readsPerMinute, writesPerMinute, burst, organizationFactor, failedAuthenticationsPerMinute } = rateLimits;
  return [
    ['Reads per minute and key', count(readsPerMinute), 'RATE_LIMIT_READ_PER_MINUTE'],
    ['Writes per minute and key', count(writesPerMinute), 'RATE_LIMIT_WRITE_PER_MINUTE'],
    ['Burst, for reads and for writes', count(burst), 'RATE_LIMIT_BURST'],
    [
      'All keys and applications of an organization and mode together',
      `${count(organizationFactor)} times as many`,
      'RATE_LIMIT_ORGANIZATION_FACTOR',
    ],
    [
      'Failed authentications per minute and address',
      count(failedAuthenticationsPerMinute),
      'RATE_LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE',
    ],
    ['Unrevoked keys per organization and mode', count(maxActiveKeys)],
    ['Body of a request', `${maxBodyBytes / 1024 ** 2} MiB`],
  ];
}

function storageRows({ maxStoredBytes }: ShownSettings): Row[] {
  return [
    ['Size of a file', `1 to ${count(maxUploadBytes)} bytes (${maxUploadBytes / 1024 ** 2} MB)`],
    ['An upload URL is valid for', inWords(addressTtlS * 1_000)],
    ['An upload can be used in letters for', inWords(usableMs)],
    ['`scheduledDropAt`', `at most ${maxDaysAhead} days ahead`],
    ['Uploads and print files of an organization, test mode', gigabytes(maxStoredBytes.test), 'MAX_STORED_TEST_GB'],
    ['Uploads and print files of an organization, live mode', gigabytes(maxStoredBytes.live), 'MAX_STORED_LIVE_GB'],
  ];
}

function webhookRows({ maxActiveWebhooks }: ShownSettings): Row[] {
  return [
    ['Active webhooks per organization and mode', count(maxActiveWebhooks), 'MAX_ACTIVE_WEBHOOKS'],
    ['Webhooks including disabled ones', count(maxStored)],
    ['An answer must arrive within', inWords(attemptTimeoutMs)],
    ['Delays before the next attempts, live', retryDelaysMs.live.map(inWords).join(', ')],
    ['Delays before the next attempts, test', retryDelaysMs.test.map(inWords).join(', ')],
    ['Attempts end after the event, or after you asked for a waiting delivery again', inWords(deliveryTtlMs)],
    ['Concurrent deliveries per webhook', count(maxInFlight)],
    ['Concurrent deliveries per host and organization', count(originLimits.perOrganization)],
    ['Concurrent deliveries per host', count(originLimits.all)],
    ['Deliveries of one `redeliver-failed`', `${count(maxRedelivered)}, of the last ${inWords(maxAgeMs)}`],
  ];
}

function oauthRows({ rateLimits }: ShownSettings): Row[] {
  const { oauthPerClient, oauthPerAddress } = rateLimits;
  return [
    ['An authorization code is valid for', inWords(lifetimes.codeMs)],
    ['An access token is valid for', inWords(lifetimes.accessTokenMs)],
    ['Valid access tokens of a consent, the newest', count(maxAccessTokens)],
    ['A refresh token is valid after its last use for', inWords(lifetimes.refreshTokenMs)],
    ['A repeated refresh returns the same tokens for', inWords(lifetimes.graceMs)],
    ['A consent ends after', inWords(lifetimes.grantMs)],
    [
      'Successful token requests per minute and application',
      count(oauthPerClient),
      'RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE',
    ],
    ['Failed requests per minute and address', count(oauthPerAddress), 'RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE'],
  ];
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function gigabytes(bytes: number): string {
  return `${count(bytes / bytesPerGb)} GB`;
}

/** Returns a duration in its largest whole unit, such as `10 min`, from a week on in days. The space does not break. */
function inWords(ms: number): string {
  const units = [
    [24 * 60 * 60_000, 'days', 7],
    [60 * 60_000, 'h', 1],
    [60_000, 'min', 1],
    [1_000, 's', 1],
  ] as const;
  const [size, unit] = units.find(([unitMs, , least]) => ms % unitMs === 0 && ms / unitMs >= least) ?? [1, 'ms'];
  return `${count(ms / size)}\u00a0${unit}`;
}
