import { type Credential, Transport } from './http/transport.ts';
import { Addresses } from './resources/addresses.ts';
import { Bulk } from './resources/bulk.ts';
import { Calendar, Items, Preflights, Quotes, Uploads } from './resources/checks.ts';
import { Events } from './resources/events.ts';
import { Mails } from './resources/mails.ts';
import { Sandbox } from './resources/sandbox.ts';
import { Templates } from './resources/templates.ts';
import { Me, Reports, Wallet } from './resources/wallet.ts';
import { Webhooks } from './resources/webhooks.ts';

export type BluejayOptions = {
  /** An API key (`bjk_…`), an access token, or a function that returns the current access token. */
  apiKey: Credential;
  /** The URL of the API, for instance `https://api.example.com`. */
  baseUrl: string;
  /** For each attempt of a request, in ms. 30,000 by default. */
  timeoutMs?: number;
  /** How often a failed request is sent again where that is safe. 2 by default. */
  maxRetries?: number;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch;
};

const defaultTimeoutMs = 30_000;
const defaultRetries = 2;

/** A client of the Bluejay API. Its calls throw a `BluejayError` when they fail. */
export class Bluejay {
  readonly me: Me;
  readonly quotes: Quotes;
  readonly uploads: Uploads;
  readonly preflights: Preflights;
  readonly mails: Mails;
  readonly bulk: Bulk;
  readonly items: Items;
  readonly templates: Templates;
  readonly calendar: Calendar;
  readonly addresses: Addresses;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly wallet: Wallet;
  readonly reports: Reports;
  readonly sandbox: Sandbox;

  /** Throws a TypeError for a missing key or an invalid URL. Sends nothing. */
  constructor(options: BluejayOptions) {
    const { apiKey, baseUrl, timeoutMs = defaultTimeoutMs, maxRetries = defaultRetries } = options;
    if (!apiKey) throw new TypeError('Give an apiKey: create one at /account/api-keys of your installation.');
    const { href } = new URL(baseUrl);
    const transport = new Transport({
      credential: apiKey,
      baseUrl: href.replace(/\/+$/, ''),
      timeoutMs,
      maxRetries,
      // Bound, because fetch of browsers and workers needs its global object.
      fetch: options.fetch ?? fetch.bind(globalThis),
    });
    this.me = new Me(transport);
    this.quotes = new Quotes(transport);
    this.uploads = new Uploads(transport);
    this.preflights = new Preflights(transport);
    this.mails = new Mails(transport);
    this.bulk = new Bulk(transport);
    this.items = new Items(transport);
    this.templates = new Templates(transport);
    this.calendar = new Calendar(transport);
    this.addresses = new Addresses(transport);
    this.webhooks = new Webhooks(transport);
    this.events = new Events(transport);
    this.wallet = new Wallet(transport);
    this.reports = new Reports(transport);
    this.sandbox = new Sandbox(transport);
  }
}
