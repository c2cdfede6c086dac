import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import type { MailDetail } from '#common/mail-jobs/views/mail-job.view.ts';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import type { ApiClient } from './api-client.ts';
import type { Story } from './story.ts';
import type { WebhookMessage, WebhookReceiver } from './webhook-receiver.ts';

/** Polling interval of the API between webhooks. */
const pollEveryMs = 1_000;
/** Allowance beyond the duration of a sandbox step, for rendering on a busy machine. */
const graceMs = 60_000;

/** The statuses of a registered letter after `queued`. */
const steps = [
  { status: 'printed', title: 'Printed' },
  { status: 'posted', title: 'Posted' },
  { status: 'delivered', title: 'Delivered' },
] as const satisfies readonly { status: MailStatus; title: string }[];
const expectedMessages = 1 + steps.length;

export type FollowOptions = {
  api: ApiClient;
  mailJobId: string;
  receiver: WebhookReceiver;
  story: Story;
  /** The sandbox's delay between two statuses, in seconds. */
  stepDelayS: number;
};

/**
 * Follows a letter to its delivery, and prints each status and then its webhook. Rejects when the letter fails, a
 * signature is wrong, or nothing happens for too long.
 */
export async function followLetter({ api, mailJobId, receiver, story, stepDelayS }: FollowOptions): Promise<void> {
  const toldStatuses: MailStatus[] = ['queued'];
  const toldMessages = new Set<WebhookMessage>();
  let newsAtMs = performance.now();
  const report = (what: string, detail?: string) => {
    story.report(what, detail);
    newsAtMs = performance.now();
  };

  for (;;) {
    const job = await api.call<MailDetail>('GET', `/v1/mails/${mailJobId}`);
    if (job.failure) throw new Error(`the letter failed with ${job.failure.code}: ${job.failure.message}`);
    for (const { status, title } of steps) {
      if (job[`${status}At`] === null || toldStatuses.includes(status)) continue;
      toldStatuses.push(status);
      report(title);
    }
    const refusal = receiver.refusals[0];
    if (refusal) throw new Error(refusal);
    for (const message of receiver.messages.filter((candidate) => candidate.mailJobId === mailJobId)) {
      if (toldMessages.has(message) || !toldStatuses.some((status) => status === message.status)) continue;
      toldMessages.add(message);
      report(`Webhook ${message.event}`, 'signature verified');
    }
    if (toldStatuses.length > steps.length && toldMessages.size === expectedMessages) return;
    if (performance.now() - newsAtMs > stepDelayS * 1_000 + graceMs) {
      throw new Error(describeSilence(job, toldMessages.size));
    }
    await withTimeout(receiver.news(), pollEveryMs, () => {});
  }
}

function describeSilence({ mailJobId, status }: MailDetail, messageCount: number): string {
  return `nothing has happened for too long: ${mailJobId} is ${status}, ${messageCount} of ${expectedMessages} webhooks came`;
}
