import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { benchAddress } from '../bench/open-bench-account.ts';
import { benchVariables } from '../bench/templates/bench-letters.ts';
import type { Caller, Settled, SoakRequest } from './caller.ts';
import type { SoakCustomer, SoakCustomers } from './customers.ts';
import { type Arrival, type ArrivalKind, rowsPerBulk } from './load-plan.ts';

/** A letter that the API has accepted with 201, or that it has confirmed to exist. */
export type SentLetter = { customer: SoakCustomer; externalId: string; mailJobId: string; request: object };

/** What the customers know at the end. */
export type Records = {
  letters: SentLetter[];
  bulks: { customer: SoakCustomer; bulkId: string }[];
  /** Answers that contradict what is stored, and requests without an answer. */
  violations: string[];
};

export type World = {
  seed: number;
  caller: Caller;
  customers: SoakCustomers;
  documents: readonly Buffer[];
  records: Records;
};

const pagesOfDocument = 3;
const bulkWithinMs = 180_000;
const common = { zone: 'NATIONAL', serviceType: 'standard', recipients: [benchAddress] };

type Act = { world: World; arrival: Arrival; intendedMs: number };

/** Does what a customer came for. Never rejects: what goes wrong is recorded. Returns the letter that was sent, if any. */
export async function perform(world: World, arrival: Arrival, intendedMs: number): Promise<SentLetter | undefined> {
  const act = { world, arrival, intendedMs };
  try {
    const sendLetter = sends[arrival.kind];
    if (sendLetter) return await sendLetter(act);
    await others[arrival.kind]?.(act);
  } catch (error) {
    world.records.violations.push(`${arrival.kind} ${arrival.n}: ${(error as Error).message}`);
  }
  return undefined;
}

const sends: Partial<Record<ArrivalKind, (act: Act) => Promise<SentLetter>>> = {
  'own document': (act) => sendDocument(act, customerOf(act, 'test')),
  'live letter': (act) => sendDocument(act, customerOf(act, 'live')),
  template: sendTemplate,
};

const others: Partial<Record<ArrivalKind, (act: Act) => Promise<void>>> = {
  bulk: sendBulk,
  repeat: repeatLetter,
  'read letter': async (act) => {
    const letter = choose(act, act.world.records.letters);
    if (letter) await read(act, letter.customer.key, `/v1/mails/${letter.mailJobId}`);
  },
  'list letters': (act) => read(act, customerOf(act, 'test').key, '/v1/mails?limit=25'),
  'read wallet': (act) => read(act, customerOf(act, 'live').key, '/v1/wallet'),
  'OAuth read': (act) => read(act, grantOf(act).accessToken(), '/v1/mails?limit=5'),
  'OAuth refresh': refresh,
};

const choose = <T>({ arrival }: Act, items: readonly T[]) => items[Math.floor(arrival.pick * items.length)];

function customerOf(act: Act, mode: 'test' | 'live'): SoakCustomer {
  const customer = choose(act, act.world.customers[mode]);
  if (!customer) throw new Error('there is no customer');
  return customer;
}

function grantOf(act: Act) {
  const { grants } = customerOf(act, 'test');
  const grant = grants[act.arrival.n % grants.length];
  if (!grant) throw new Error('there is no grant');
  return grant;
}

async function read({ world, arrival, intendedMs }: Act, key: string, path: string): Promise<void> {
  const { status } = await world.caller.ask({ kind: arrival.kind, method: 'GET', path, key, intendedMs });
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}`);
}

/** Refreshes of one consent wait for each other, as in an application. */
const refreshing = new WeakMap<object, Promise<void>>();

async function refresh(act: Act): Promise<void> {
  const grant = grantOf(act);
  const next = (refreshing.get(grant) ?? Promise.resolve()).then(() => grant.refresh());
  refreshing.set(
    grant,
    next.catch(() => {}),
  );
  await next;
}

async function sendDocument(act: Act, customer: SoakCustomer): Promise<SentLetter> {
  const bytes = choose(act, act.world.documents);
  if (!bytes) throw new Error('there is no document');
  const s3Key = await upload(act, customer, { mimeType: 'application/pdf', bytes, path: '/v1/uploads' });
  return await send(act, customer, { ...common, pages: pagesOfDocument, files: [{ s3Key }] });
}

async function sendTemplate(act: Act): Promise<SentLetter> {
  const customer = customerOf(act, 'test');
  const { templateId } = customer;
  const letter = { ...common, templateId, mergeVariables: benchVariables(act.arrival.n) };
  return await send(act, customer, letter, act.intendedMs);
}

type File = { mimeType: string; bytes: Uint8Array; path: '/v1/uploads' | '/v1/bulk/uploads' };

async function upload({ world, intendedMs }: Act, { key }: SoakCustomer, { mimeType, bytes, path }: File) {
  const json = { filename: mimeType === 'text/csv' ? 'list.csv' : 'letter.pdf', mimeType, sizeBytes: bytes.length };
  const ask = { kind: 'upload address', method: 'POST', path, key, json, intendedMs } as const;
  const address = okay(await world.caller.ask(ask), ask, [200, 201]) as UploadAnswer;
  const content = { headers: address.headers, body: bytes };
  const put = { kind: 'upload', method: 'PUT', path: address.uploadUrl, bytes: content } as const;
  okay(await world.caller.ask(put), put, [200]);
  return address.s3Key;
}
type UploadAnswer = { s3Key: string; uploadUrl: string; headers: Record<string, string> };

/** Sends a letter until it is answered, and checks what the answer says about the attempts before. */
async function send(act: Act, customer: SoakCustomer, letter: object, intendedMs?: number): Promise<SentLetter> {
  const { world, arrival } = act;
  const externalId = `soak-${world.seed}-${arrival.n}`;
  const json = { ...letter, externalId };
  const kind = `send ${arrival.kind}`;
  const ask = { kind, method: 'POST', path: '/v1/mails', key: customer.key, json, ...(intendedMs && { intendedMs }) };
  const settled = await world.caller.ask(ask as SoakRequest);
  const { mailJobId } = okay(settled, ask, [200, 201]) as { mailJobId: string };
  if (settled.status === 200 && settled.doubts === 0) {
    const count = settled.refusals;
    world.records.violations.push(`letter ${externalId} existed although ${count} answers 503 said that it did not`);
  }
  const sent = { customer, externalId, mailJobId, request: json };
  world.records.letters.push(sent);
  return sent;
}

async function repeatLetter(act: Act): Promise<void> {
  const letter = choose(act, act.world.records.letters);
  if (!letter) return;
  const { customer, mailJobId, request: json } = letter;
  const { intendedMs } = act;
  const ask = { kind: 'repeat', method: 'POST', path: '/v1/mails', key: customer.key, json, intendedMs } as const;
  const body = okay(await act.world.caller.ask(ask), ask, [200]) as { mailJobId: string };
  if (body.mailJobId !== mailJobId) throw new Error(`a repeat of ${mailJobId} returned ${body.mailJobId}`);
}

async function sendBulk(act: Act): Promise<void> {
  const { caller, documents, records } = act.world;
  const customer = customerOf(act, 'test');
  const { key } = customer;
  const row = (n: number) => `Ada Peeters ${n},${benchAddress.line1},${benchAddress.zip},${benchAddress.city},BE\n`;
  const rows = Array.from({ length: rowsPerBulk }, (_, n) => row(n)).join('');
  const list = Buffer.from(`name,line1,zip,city,country\n${rows}`);
  const document = { mimeType: 'application/pdf', bytes: documents[0] ?? list, path: '/v1/uploads' } as const;
  const files = [{ s3Key: await upload(act, customer, document) }];
  const file = { s3Key: await upload(act, customer, { mimeType: 'text/csv', bytes: list, path: '/v1/bulk/uploads' }) };
  const json = { file, files, serviceType: 'standard' };
  const create = { kind: 'create bulk', method: 'POST', path: '/v1/bulk', key, json } as const;
  const { bulkId } = okay(await caller.ask(create), create, [202]) as { bulkId: string };
  await untilStatus(act, customer, bulkId, ['ready']);
  records.bulks.push({ customer, bulkId });
  const confirm = { kind: 'confirm bulk', method: 'POST', path: `/v1/bulk/${bulkId}/confirm`, key, json: {} } as const;
  // After a lost answer it may be confirmed already.
  const confirmed = await caller.ask(confirm);
  okay(confirmed, confirm, confirmed.doubts > 0 ? [200, 202, 409] : [200, 202]);
  await untilStatus(act, customer, bulkId, ['sent']);
}

async function untilStatus({ world }: Act, { key }: SoakCustomer, bulkId: string, wanted: string[]): Promise<void> {
  const ask = { kind: 'read bulk', method: 'GET', path: `/v1/bulk/${bulkId}`, key } as const;
  let status = '';
  const isThere = async () => {
    ({ status } = okay(await world.caller.ask(ask), ask, [200]) as { status: string });
    return wanted.includes(status);
  };
  const limits = { everyMs: 1_000, withinMs: bulkWithinMs };
  if (!(await pollUntil(isThere, limits))) throw new Error(`${bulkId} is ${status}, not ${wanted}`);
}

/** Returns the body of an expected answer. */
function okay({ status, body }: Settled, { method, path }: { method: string; path: string }, expected: number[]) {
  if (expected.includes(status)) return body;
  const { pathname } = new URL(path, 'http://api');
  throw new Error(`${method} ${pathname} was answered ${status} ${JSON.stringify(body).slice(0, 300)}`);
}
