// Level: push
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { afterAll, beforeAll, describe, expect, standingClock, test } from '../support/jest.ts';
import { type Agent, startHttpAgent } from '../support/mcp/agent.ts';
import { anAddress, aToolLetter, uploadByTool } from '../support/mcp/try-all-tools.ts';
import { type Customer, ledgerOf } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';

const minuteMs = 60_000;
const clock = standingClock();
const world = startWorld({ clock });

describe('send_letter', () => {
  let customer: Customer;
  let agent: Agent;
  let s3Key: string;
  beforeAll(async () => {
    customer = await world.customer();
    agent = await startHttpAgent({ url: world.url, key: customer.key });
    s3Key = await uploadByTool(agent);
  });
  afterAll(async () => await agent.close());

  async function prepare(letter: Record<string, unknown>) {
    const { isError, data } = await agent.use('prepare_letter', { letter });
    if (isError) throw new Error(JSON.stringify(data));
    return { quoteToken: data.quoteToken as string, maxTotalCents: data.totalCents as number };
  }
  const countJobs = async () => await MailJob.countDocuments({ organizationId: customer.organizationId });

  test('preparing stores, pays and sends nothing', async () => {
    const before = [await countJobs(), await customer.balanceCents()];
    await prepare(aToolLetter(s3Key));
    expect([await countJobs(), await customer.balanceCents()]).toEqual(before);
  });

  test('repeats with the same token, also at once, send and pay one letter', async () => {
    const letter = aToolLetter(s3Key);
    const quote = await prepare(letter);
    const before = { jobs: await countJobs(), entries: (await ledgerOf(customer)).length };
    const told = await Promise.all([1, 2, 3].map(() => agent.use('send_letter', { letter, ...quote })));
    told.push(await agent.use('send_letter', { letter, ...quote }));
    expect(told.map(({ isError }) => isError)).toEqual([false, false, false, false]);
    expect(new Set(told.map(({ data }) => data.mailJobId)).size).toBe(1);
    expect(told.filter(({ data }) => data.duplicate)).toHaveLength(3);
    expect(told.at(-1)?.text).toMatch(/^\[TEST\] The letter was sent before, for \d+ cents/);
    expect(await countJobs()).toBe(before.jobs + 1);
    expect((await ledgerOf(customer)).length).toBe(before.entries + 1);
  });

  test('a letter that was changed after the quote is refused, and nothing is paid', async () => {
    const letter = aToolLetter(s3Key);
    const quote = await prepare(letter);
    const before = await countJobs();
    const changes = [
      { recipients: [{ ...anAddress, line1: 'Rue Basse 1' }] },
      { files: [{ s3Key: await uploadByTool(agent) }] },
    ];
    for (const change of changes) {
      const told = await agent.use('send_letter', { letter: { ...letter, ...change }, ...quote });
      expect([change, told.isError, told.data.code]).toEqual([change, true, 'QUOTE_MISMATCH']);
    }
    expect(await countJobs()).toBe(before);
    expect((await agent.use('send_letter', { letter, ...quote })).isError).toBe(false);
  });

  test('an address book entry that was changed after the quote is noticed', async () => {
    const entry = (await agent.use('save_address', { kind: 'RECIPIENT', ...anAddress })).data;
    const letter = aToolLetter(s3Key, { recipients: [{ addressId: entry.id }] });
    const quote = await prepare(letter);
    await customer.http.patch(`/v1/addresses/${entry.id}`, { line1: 'Rue Basse 2' });
    expect((await agent.use('send_letter', { letter, ...quote })).data.code).toBe('QUOTE_MISMATCH');
    await customer.http.patch(`/v1/addresses/${entry.id}`, { line1: anAddress.line1 });
    expect((await agent.use('send_letter', { letter, ...quote })).isError).toBe(false);
  });

  test('a default sender that was changed after the quote is noticed', async () => {
    const { sender: _, ...letter } = aToolLetter(s3Key);
    const quote = await prepare(letter);
    const added = await customer.http.post('/v1/addresses', { kind: 'SENDER', ...anAddress, isDefault: true });
    expect((await agent.use('send_letter', { letter, ...quote })).data.code).toBe('QUOTE_MISMATCH');
    await customer.http.delete(`/v1/addresses/${added.body.id}`);
    expect((await agent.use('send_letter', { letter, ...quote })).isError).toBe(false);
  });

  test('a letter that costs more than the user accepted is refused', async () => {
    const letter = aToolLetter(s3Key);
    const { quoteToken, maxTotalCents } = await prepare(letter);
    const told = await agent.use('send_letter', { letter, quoteToken, maxTotalCents: maxTotalCents - 1 });
    expect([told.isError, told.data.code]).toEqual([true, 'PRICE_CHANGED']);
    const without = await agent.use('send_letter', { letter, quoteToken });
    expect(without.data.issues.map(({ path }: { path: string[] }) => path)).toEqual([['maxTotalCents']]);
  });

  test('the token of another customer is refused', async () => {
    const other = await world.customer();
    const stranger = await startHttpAgent({ url: world.url, key: other.key });
    const letter = aToolLetter(s3Key);
    const told = await stranger.use('send_letter', { letter, ...(await prepare(letter)) });
    expect([told.isError, told.data.code]).toEqual([true, 'QUOTE_INVALID']);
    await stranger.close();
  });
});

describe('an old quote', () => {
  test('30 minutes after the quote the letter must be prepared again', async () => {
    const { key } = await world.customer();
    const agent = await startHttpAgent({ url: world.url, key });
    const letter = aToolLetter(await uploadByTool(agent));
    const { quoteToken, totalCents: maxTotalCents } = (await agent.use('prepare_letter', { letter })).data;
    clock.advance(30 * minuteMs);
    const told = await agent.use('send_letter', { letter, quoteToken, maxTotalCents });
    expect([told.isError, told.data.code]).toEqual([true, 'QUOTE_EXPIRED']);
    expect(told.data.whatNext).toMatch(/list_letters/);
    await agent.close();
  });
});
