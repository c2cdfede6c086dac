// Level: push
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

describe('the page of reports', () => {
  const { world, host } = startWebHost();
  const scene = openOnce(async () => {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    const customer = await world.customer({ organizationId });
    await customer.sendAccepted();
    const mailJobId = await customer.sendAccepted();
    await customer.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    await (await world.customer()).sendAccepted();
    return { visitor, customer };
  });
  const path = '/account/reports';

  test('page, API and CSV have the same numbers, without letters of others', async () => {
    const { visitor, customer } = scene;
    const { text } = await visitor.get(`/en${path}`);
    const { body } = await customer.http.get('/v1/reports/letters');
    expect(body.totals).toMatchObject({ queued: 1, failed: 1, total: 2 });
    expect(text).toContain('<desc id="letters-chart-desc">Queued: 1 and Failed: 1</desc>');
    const csv = await visitor.get(`/en${path}?mode=test&csv=letters`);
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.text).toContain('\r\ntotal,,1,0,0,0,1,2\r\n');
    const spend = (await customer.http.get('/v1/reports/spend')).body.totals;
    const cells = [spend.debitedCents, spend.refundedCents, spend.spentCents];
    expect((await visitor.get(`/en${path}?csv=spend`)).text).toContain(`total,,2,${cells.join(',')}\r\n`);
    for (const cents of cells) expect(text).toContain(`>€${(cents / 100).toFixed(2)}</td>`);
  });

  test('each chart is one image with a name and a description, and has no style of its own', async () => {
    const { text } = await scene.visitor.get(`/en${path}`);
    const charts = text.match(/<svg class="chart.*?<\/svg>/gs) ?? [];
    const drawn = charts.filter((chart) => chart.includes('role="img"'));
    expect(drawn).toHaveLength(3);
    for (const chart of drawn) {
      const [, title, desc] = /aria-labelledby="(\S+) (\S+)"/.exec(chart) ?? [];
      expect(chart).toContain(`<title id="${title}">`);
      expect(chart).toContain(`<desc id="${desc}">`);
      expect(chart).not.toContain('style=');
      expect(chart.match(/class="chart-grid"/g)?.length ?? 0).toBeLessThanOrEqual(10);
    }
    // One part of a column for each status of the two letters, each with the pattern of its status.
    expect(text.match(/<rect class="chart-part"[^>]*fill="url\(#letters-chart-(quiet|danger)\)"/g)).toHaveLength(2);
  });

  test.each(['?from=2026-03-02&to=2026-03-01', '?from=2020-01-01&to=2026-01-01', '?from=2026-02-30', '?from=x'])(
    'the period %s is replaced by the last 30 days, and the page says so',
    async (query) => {
      const { status, text } = await scene.visitor.get(`/en${path}${query}`);
      expect([status, text.includes('The last 30 days are shown.')]).toEqual([200, true]);
    },
  );

  test('empty fields of the form are the last 30 days, and an empty period says so in each chart', async () => {
    const { text } = await scene.visitor.get(`/en${path}?mode=live&from=&to=`);
    for (const words of ['No letters in this period', 'Nothing spent', 'No failed letters', 'No letters posted yet']) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('The last 30 days are shown.');
  });

  test('more than 62 days are drawn by month', async () => {
    const { text } = await scene.visitor.get(`/en${path}?mode=live&from=2026-01-01&to=2026-03-31`);
    expect(text).toContain('<h2>Letters per month by status</h2>');
  });

  test('the overview shows the first chart with a link to all reports', async () => {
    const { text } = await scene.visitor.get('/en/account');
    expect(text).toContain('id="letters-chart-title"');
    expect(text).toContain('href="/en/account/reports?mode=test"');
  });
});
