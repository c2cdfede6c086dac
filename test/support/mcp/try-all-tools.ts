import { aPdf, type Customer } from '../product/customer.ts';
import type { Agent } from './agent.ts';

/** The letter of the walk, as both tools take it. */
export function aToolLetter(s3Key: string, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    zone: 'NATIONAL',
    serviceType: 'standard',
    pages: 1,
    recipients: [anAddress],
    sender: { ...anAddress, name: 'Bob' },
    files: [{ s3Key }],
    ...overrides,
  };
}

export const anAddress = { name: 'Ada', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };

/** Uploads a blank page by the tool, as an agent would, and returns its key. */
export async function uploadByTool(agent: Agent): Promise<string> {
  const bytes = await aPdf();
  const link = { filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes: bytes.length };
  const { data } = await agent.use('create_upload_link', link);
  const put = await fetch(data.uploadUrl, { method: 'PUT', headers: data.headers, body: new Uint8Array(bytes) });
  if (!put.ok) throw new Error(`The store answered ${put.status}: ${await put.text()}`);
  return data.s3Key;
}

/** Sends a letter by the tools and returns its id. */
export async function sendByTools(agent: Agent, overrides: Record<string, unknown> = {}): Promise<string> {
  const letter = aToolLetter(await uploadByTool(agent), overrides);
  const { quoteToken, totalCents } = (await agent.use('prepare_letter', { letter })).data;
  const sent = await agent.use('send_letter', { letter, quoteToken, maxTotalCents: totalCents });
  if (sent.isError) throw new Error(`${sent.text} ${JSON.stringify(sent.data)}`);
  return sent.data.mailJobId;
}

type Step = { tool: string; isError: boolean; text: string; code: string | undefined };

/** Uses each tool once as it should be, and returns what each told, in the order of use. */
export async function useEachTool(agent: Agent, customer: Customer): Promise<Step[]> {
  const steps: Step[] = [];
  const use = async (tool: string, input: Record<string, unknown> = {}) => {
    const { isError, text, data } = await agent.use(tool, input);
    steps.push({ tool, isError, text, code: isError ? data.code : undefined });
    return data;
  };
  const priced = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };
  await use('quote_letter', priced);
  await use('create_upload_link', { filename: 'a.pdf', mimeType: 'application/pdf', sizeBytes: 10 });
  const s3Key = await uploadByTool(agent);
  await use('check_document', { files: [{ s3Key }] });
  await use('save_address', { kind: 'RECIPIENT', ...anAddress });
  const { addresses } = await use('list_addresses', { q: 'ada', limit: 1 });
  const letter = aToolLetter(s3Key, { recipients: [{ addressId: addresses[0].id }] });
  const { quoteToken, totalCents } = await use('prepare_letter', { letter });
  const { mailJobId } = await use('send_letter', { letter, quoteToken, maxTotalCents: totalCents });
  await use('get_letter', { mailJobId });
  await use('list_letters', { status: 'queued' });
  if (customer.mode === 'test') await use('simulate_letter', { mailJobId: await sendByTools(agent), to: 'delivered' });
  await use('cancel_letter', { mailJobId, reason: 'Test' });
  await use('get_wallet');
  await use('list_events', { mailJobId });
  await use('search_docs', { query: 'cutoff' });
  return steps;
}

const unknownId = 'mj_01m7ynaxr6fqa9hh2zy9myc868';

/** Each tool with an input that must be refused, and the code of the refusal. */
export function refusedInputs(s3Key: string): [tool: string, input: Record<string, unknown>, code: string][] {
  const letter = aToolLetter(s3Key);
  return [
    ['quote_letter', { zone: 'NATIONAL', serviceType: 'standard', pages: 0 }, 'VALIDATION_ERROR'],
    ['create_upload_link', { filename: 'a.exe', mimeType: 'text/html', sizeBytes: 1 }, 'VALIDATION_ERROR'],
    ['check_document', {}, 'VALIDATION_ERROR'],
    ['list_addresses', { cursor: 'x' }, 'VALIDATION_ERROR'],
    ['save_address', { kind: 'RECIPIENT', ...anAddress, zip: '12345' }, 'VALIDATION_ERROR'],
    ['prepare_letter', { letter: { ...letter, zone: 'INTERNATIONAL' } }, 'VALIDATION_ERROR'],
    ['send_letter', { letter, quoteToken: 'bjq_AAAA', maxTotalCents: 1 }, 'QUOTE_INVALID'],
    ['get_letter', { mailJobId: unknownId }, 'NOT_FOUND'],
    ['list_letters', { status: 'lost' }, 'VALIDATION_ERROR'],
    ['simulate_letter', { mailJobId: unknownId }, 'NOT_FOUND'],
    ['cancel_letter', { mailJobId: '../wallet' }, 'NOT_FOUND'],
    ['get_wallet', { mode: 'live' }, 'VALIDATION_ERROR'],
    ['list_events', { event: 'MAIL_LOST' }, 'VALIDATION_ERROR'],
    ['search_docs', { query: '' }, 'VALIDATION_ERROR'],
  ];
}
