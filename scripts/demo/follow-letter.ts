import { setTimeout as pause } from 'node:timers/promises';
import type { MailStatus } from '../../common/mail-jobs/lifecycle.ts';
import type { MailDetail } from '../../common/mail-jobs/mail-job.view.ts';
import type { ApiClient } from './api-client.ts';
import type { Story } from './story.ts';
import type { WebhookMessage, WebhookReceiver } from './webhook-receiver.ts';

/** Without news the API is asked this often. */
const askEveryMs = 1_000;
/** Beyond the time that a sandbox step takes: for rendering, and for a machine that is busy. */
const patienceMs = 60_000;

/** What happens to a registered letter after it was sent, and how the story tells it. */
const stations = [
  { status: 'printed', title: 'Printed' },
  { status: 'posted', title: 'Posted' },
  { status: 'delivered', title: 'Delivered' },
] as const satisfies readonly { status: MailStatus; title: string }[];
const expectedMessages = 1 + stations.length;

export type FollowOptions = {
  api: ApiClient;
  mailJobId: string;
  receiver: WebhookReceiver;
  story: Story;
  /** Of the sandbox. */
  stepDelayS: number;
};

/**
 * Follows a letter to its delivery, telling each status and each webhook's message after it. Rejects when the letter
 * fails, a signature is wrong, or nothing happens for too long.
 */
export async function followLetter({ api, mailJobId, receiver, story, stepDelayS }: FollowOptions): Promise<void> {
  const toldStatuses: MailStatus[] = ['queued'];
  const toldMessages = new Set<WebhookMessage>();
  let newsAtMs = performance.now();
  const tell = (what: string, detail?: string) => {
    story.tell(what, detail);
    newsAtMs = performance.now();
  };

  for (;;) {
    const job = await api.call<MailDetail>('GET', `/v1/mails/${mailJobId}`);
    if (job.failure) throw new Error(`the letter failed with ${job.failure.code}: ${job.failure.message}`);
    for (const { status, title } of stations) {
      if (job[`${status}At`] === null || toldStatuses.includes(status)) continue;
      toldStatuses.push(status);
      tell(title);
    }
    const refusal = receiver.refusals[0];
    if (refusal) throw new Error(refusal);
    for (const message of receiver.messages.filter((candidate) => candidate.mailJobId === mailJobId)) {
      if (toldMessages.has(message) || !toldStatuses.some((status) => status === message.status)) continue;
      toldMessages.add(message);
      tell(`Webhook ${message.event}`, 'signature verified');
    }
    if (toldStatuses.length > stations.length && toldMessages.size === expectedMessages) return;
    if (performance.now() - newsAtMs > stepDelayS * 1_000 + patienceMs) {
      throw new Error(describeSilence(job, toldMessages.size));
    }
    await Promise.race([pause(askEveryMs), receiver.news()]);
  }
}

function describeSilence({ mailJobId, status }: MailDetail, messageCount: number): string {
  return `nothing has happened for too long: ${mailJobId} is ${status}, ${messageCount} of ${expectedMessages} webhooks came`;
}
