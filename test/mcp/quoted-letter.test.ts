// Level: push
import { clearTariffCache } from '#common/pricing/find-tariff.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.ts';
import { type Agent, startHttpAgent } from '../support/mcp/agent.ts';
import { anAddress, aToolLetter, uploadByTool } from '../support/mcp/try-all-tools.ts';
import { aPdf, type Customer } from '../support/product/customer.ts';
import { aTariffEntry } from '../support/product/tariffs.ts';
import { startWorld } from '../support/product/world.ts';

const world = startWorld();

describe('what prepare_letter quotes', () => {
  let customer: Customer;
  let agent: Agent;
  let s3Key: string;
  beforeAll(async () => {
    customer = await world.customer();
    agent = await startHttpAgent({ url: world.url, key: customer.key });
    s3Key = await uploadByTool(agent);
  });
  afterAll(async () => await agent.close());

  test('it returns the addresses as they will be printed, also those of the address book', async () => {
    const entry = (await agent.use('save_address', { kind: 'RECIPIENT', ...anAddress })).data;
    await customer.http.post('/v1/addresses', { kind: 'SENDER', ...anAddress, name: 'Default', isDefault: true });
    const { sender: _, ...letter } = aToolLetter(s3Key, { recipients: [{ addressId: entry.id }] });
    const { data } = await agent.use('prepare_letter', { letter });
    expect(data.recipients).toEqual([{ ...anAddress, line2: null }]);
    expect(data.sender).toEqual({ ...anAddress, name: 'Default', line2: null });
  });

  test('a credential that cannot read the address book must give addresses in full', async () => {
    const entry = (await agent.use('save_address', { kind: 'RECIPIENT', ...anAddress })).data;
    const { key } = await world.customer({ organizationId: customer.organizationId, scopes: ['send'] });
    const sending = await startHttpAgent({ url: world.url, key });
    const whole = aToolLetter(s3Key);
    const { sender: _, ...withoutSender } = whole;
    for (const letter of [{ ...whole, recipients: [{ addressId: entry.id }] }, withoutSender]) {
      const { data } = await sending.use('prepare_letter', { letter });
      expect([data.code, data.message]).toEqual(['FORBIDDEN', expect.stringMatching(/addresses.*in full/)]);
    }
    expect((await sending.use('prepare_letter', { letter: whole })).isError).toBe(false);
    await sending.close();
  });

  test('a file that was uploaded again since is not sent', async () => {
    const bytes = await aPdf();
    const link = { filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes: bytes.length };
    const { data } = await agent.use('create_upload_link', link);
    const put = async (body: Buffer) =>
      await fetch(data.uploadUrl, { method: 'PUT', headers: data.headers, body: new Uint8Array(body) });
    expect((await put(bytes)).ok).toBe(true);
    const letter = aToolLetter(data.s3Key);
    const { quoteToken, totalCents: maxTotalCents } = (await agent.use('prepare_letter', { letter })).data;
    const other = Buffer.from(bytes);
    other[other.length - 1] = 32;
    expect((await put(other)).ok).toBe(true);
    const told = await agent.use('send_letter', { letter, quoteToken, maxTotalCents });
    expect([told.isError, told.data.code]).toEqual([true, 'QUOTE_MISMATCH']);
    expect((await put(bytes)).ok).toBe(true);
    expect((await agent.use('send_letter', { letter, quoteToken, maxTotalCents })).isError).toBe(false);
  });

  test('a letter that became dearer is not sent, however much maxTotalCents allows', async () => {
    const letter = aToolLetter(s3Key);
    const { quoteToken, totalCents } = (await agent.use('prepare_letter', { letter })).data;
    await importTariffs([aTariffEntry({ validFrom: new Date(Date.now() - 1_000).toISOString(), pageCents: 5_000 })]);
    clearTariffCache();
    const told = await agent.use('send_letter', { letter, quoteToken, maxTotalCents: 100_000_000 });
    expect([told.data.code, totalCents > 0]).toEqual(['PRICE_CHANGED', true]);
  });
});
