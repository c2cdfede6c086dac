// Level: push
import { listTariffs, removeTariff } from '#common/pricing/manage-tariffs.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const aQuestion = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };

describe('POST /v1/quote', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());
  const ask = (overrides: Record<string, unknown> = {}) =>
    customer.http.post('/v1/quote', { ...aQuestion, ...overrides });

  test('the quote for three pages to two recipients has every field', async () => {
    const { status, body } = await ask({ pages: 3, recipientCount: 2 });
    expect(status).toBe(200);
    const line = { quantity: 2, description: expect.any(String) };
    expect(body).toEqual({
      zone: 'NATIONAL',
      serviceType: 'standard',
      pages: 3,
      color: false,
      doubleSided: true,
      acknowledgmentReceipt: false,
      tariffId: expect.stringMatching(/^tar_/),
      currency: 'EUR',
      recipientCount: 2,
      unitNetCents: 227,
      netCents: 454,
      vatCents: 27,
      totalCents: 481,
      lines: [
        { ...line, code: 'HANDLING', unitCents: 40, netCents: 80, vatPercent: 21 },
        { ...line, code: 'PRINT', unitCents: 24, netCents: 48, vatPercent: 21 },
        { ...line, code: 'POSTAGE', unitCents: 163, netCents: 326, vatPercent: 0 },
      ],
      vat: [
        { percent: 0, netCents: 326, vatCents: 0 },
        { percent: 21, netCents: 128, vatCents: 27 },
      ],
      sheets: 2,
      weightGrams: 15,
      envelopes: 1,
    });
  });

  test.each([
    // request, line codes, net, VAT and total in cents
    [{}, 'HANDLING PRINT POSTAGE', 211, 10, 221],
    [{ zone: 'INTERNATIONAL', serviceType: 'prior' }, 'HANDLING PRINT POSTAGE', 211, 10, 221],
    [{ color: true }, 'HANDLING PRINT COLOR POSTAGE', 223, 13, 236],
    [{ serviceType: 'registered' }, 'HANDLING PRINT POSTAGE REGISTERED', 944, 10, 954],
    [
      { serviceType: 'registered', acknowledgmentReceipt: true },
      'HANDLING PRINT POSTAGE REGISTERED ACKNOWLEDGMENT_RECEIPT',
      1_108,
      45,
      1_153,
    ],
    // Without registered it has no effect and costs nothing.
    [{ acknowledgmentReceipt: true }, 'HANDLING PRINT POSTAGE', 211, 10, 221],
    // 9 sheets and the envelope weigh 50 g, 10 weigh 55 g.
    [{ pages: 18 }, 'HANDLING PRINT POSTAGE', 347, 39, 386],
    [{ pages: 19 }, 'HANDLING PRINT POSTAGE', 518, 40, 558],
    // 1,000 sheets: two envelopes of 399 and one of 202.
    [{ pages: 2_000 }, 'HANDLING PRINT POSTAGE', 17_996, 3_368, 21_364],
    [{ recipientCount: 100 }, 'HANDLING PRINT POSTAGE', 21_100, 1_008, 22_108],
  ])('%j costs %s: %d + %d = %d cents', async (asked, codes, net, vat, total) => {
    const { status, body } = await ask(asked);
    expect(status).toBe(200);
    expect(body.lines.map(({ code }: { code: string }) => code)).toEqual(codes.split(' '));
    expect([body.netCents, body.vatCents, body.totalCents]).toEqual([net, vat, total]);
    expect(body).toMatchObject(asked);
  });

  test.each([
    ['zone', ['NATIONAL', 'INTERNATIONAL'], ['national', 'EUROPE', '', null, 1]],
    ['serviceType', ['standard', 'prior', 'registered'], ['express', 'Standard', '', 1, null]],
    ['pages', [1, 2_000], [0, 2_001, 1.5, -1, '1', null, true]],
    ['color', [true, false, null], ['true', 0, 1, 'yes', '']],
    ['acknowledgmentReceipt', [true, false, null], ['true', 0, 1, '']],
    ['recipientCount', [1, 100, null], [0, 101, 1.5, '2']],
  ])('POST /v1/quote accepts valid values of %s and names it with 400 for others', async (field, good, bad) => {
    for (const value of good as unknown[]) expect((await ask({ [field]: value })).status).toBe(200);
    for (const value of bad as unknown[]) {
      const answer = await ask({ [field]: value });
      expect([value, answer.status, answer.body.code]).toEqual([value, 400, 'VALIDATION_ERROR']);
      expect(issuePaths(answer)).toEqual([field]);
    }
  });

  test('400 names each missing field, and each field of a letter that a quote does not have', async () => {
    const answer = await customer.http.post('/v1/quote', {});
    expect(answer.status).toBe(400);
    expect(issuePaths(answer).sort()).toEqual(['pages', 'serviceType', 'zone']);
    expect(issuePaths(await ask({ recipients: true, dryRun: true })).sort()).toEqual(['dryRun', 'recipients']);
  });

  test('null in an optional field means its default', async () => {
    const { body } = await ask({ color: null, acknowledgmentReceipt: null, recipientCount: null });
    expect(body).toEqual((await ask({ color: false, acknowledgmentReceipt: false, recipientCount: 1 })).body);
  });

  test('quotes do not change the wallet', async () => {
    const before = await customer.balanceCents();
    await ask({ recipientCount: 100 });
    expect(await customer.balanceCents()).toBe(before);
  });

  test('a zone and service without a tariff is 503, the others still have prices', async () => {
    const tariffs = await listTariffs();
    const gone = tariffs.find(({ zone, serviceType }) => zone === 'INTERNATIONAL' && serviceType === 'registered');
    await removeTariff(gone!._id);
    const refused = await ask({ zone: 'INTERNATIONAL', serviceType: 'registered' });
    expect(refused).toMatchObject({ status: 503, body: { code: 'PRICING_UNAVAILABLE' } });
    expect(refused.body).not.toHaveProperty('issues');
    expect((await ask({ zone: 'INTERNATIONAL' })).status).toBe(200);
  });
});
