import type { Mode } from '#common/modes.ts';
import type { Client } from './client.ts';

/** An organization with a key and a client that uses it. */
export type Customer = {
  organizationId: string;
  mode: Mode;
  key: string;
  keyId: string;
  http: Client;
  balanceCents(): Promise<number>;
  /** Returns the secret that signs deliveries to a letter's own webhookUrl. */
  jobWebhookSecret(): Promise<string>;
};
