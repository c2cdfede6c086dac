import type { Config } from '#common/config/config.ts';
import { type EventKind, mailEventKinds } from '#common/events/event.model.ts';
import type { Mode } from '#common/modes.ts';
import { createTokenMint } from '#common/oauth/tokens/token-mint.ts';
import { createKeyRing } from '#common/secrets.ts';
import { createWebhook } from '#common/webhooks/registry/create-webhook.ts';
import { type OpenGrant, openGrants } from '../bench/oauth/open-grants.ts';
import { type BenchAccount, openBenchAccount } from '../bench/open-bench-account.ts';
import { benchText } from '../bench/templates/bench-letters.ts';
import type { Caller } from './caller.ts';
import type { SoakReceiver } from './receiver.ts';

export type SoakCustomer = BenchAccount & { name: string; webhookId: string; templateId: string; grants: OpenGrant[] };

/** Customers in test mode, with templates and applications, and in live mode. All have a webhook for every event. */
export type SoakCustomers = { test: SoakCustomer[]; live: SoakCustomer[] };

const count: Record<Mode, number> = { test: 4, live: 2 };
const grantsPerCustomer = 4;
const events: EventKind[] = [...mailEventKinds, 'BULK_COMPLETED'];

export type CustomerDeps = {
  config: Config;
  caller: Caller;
  receiver: SoakReceiver;
  /** Of the webhooks of customers in test mode, by default all that a letter has. None for no webhook. */
  testEvents?: EventKind[];
};

export async function openCustomers(deps: CustomerDeps): Promise<SoakCustomers> {
  const open = (mode: Mode) =>
    Promise.all(Array.from({ length: count[mode] }, (_, n) => openCustomer(`${mode}-${n}`, mode, deps)));
  return { test: await open('test'), live: await open('live') };
}

async function openCustomer(name: string, mode: Mode, deps: CustomerDeps): Promise<SoakCustomer> {
  const { config, caller, receiver } = deps;
  const account = await openBenchAccount(config, mode);
  const keyRing = createKeyRing(config.encryptionKeys);
  const webhookDeps = { keyRing, checkTargetUrl: async () => [], maxActiveWebhooks: config.webhooks.maxActive };
  const wanted = mode === 'live' ? events : (deps.testEvents ?? events);
  let webhookId = '';
  if (wanted.length > 0) {
    const request = { url: receiver.url(name), events: wanted };
    const { record, secret } = await createWebhook(account.owner, request, webhookDeps, new Date());
    receiver.expect(name, secret);
    webhookId = record._id;
  }
  const customer = { ...account, name, webhookId };
  if (mode === 'live') return { ...customer, templateId: '', grants: [] };
  const json = { name: 'Rappel', language: 'fr', text: benchText };
  const { key } = account;
  const template = await caller.ask({ kind: 'create template', method: 'POST', path: '/v1/templates', key, json });
  const { templateId } = template.body as { templateId: string };
  const { organizationId } = account.owner;
  const consents = { count: grantsPerCustomer, organizationId, mint: createTokenMint(keyRing) };
  return { ...customer, templateId, grants: await openGrants(consents, (form) => askForTokens(caller, form)) };
}

async function askForTokens(caller: Caller, form: Record<string, string>) {
  const { status, body } = await caller.ask({ kind: 'OAuth token', method: 'POST', path: '/oauth/token', form });
  if (status !== 200) throw new Error(`A token request was answered ${status} ${JSON.stringify(body)}`);
  return body as { access_token: string; refresh_token: string };
}
