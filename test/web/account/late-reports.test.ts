// Level: ci
import { describe, expect, test } from '#test/support/jest.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

/** The code with which MongoDB ends what exceeds its `maxTimeMS`. */
const maxTimeExpired = 50;

describe('reports that take too long', () => {
  const { world, host } = startWebHost({ hasOwnMongo: true });

  test('leave the other reports and the overview readable, and are an error of the API', async () => {
    const visitor = await host.signedIn();
    const customer = await world.customer({ organizationId: visitor.user.organizationId });
    await customer.sendAccepted();
    const late = { failCommands: ['aggregate'], collection: 'mail_jobs', errorCode: maxTimeExpired };

    await world.fail(late, 3);
    const page = await visitor.get('/en/account/reports?mode=test');
    expect([page.status, page.text.split('This report takes too long').length - 1]).toEqual([200, 3]);
    expect(page.text).toContain('Spend per month in euro');
    expect(page.text).not.toContain('Nothing spent');

    await world.fail(late, 1);
    const overview = await visitor.get('/en/account');
    expect([overview.status, overview.text.includes('class="chart')]).toEqual([200, false]);

    await world.fail(late, 1);
    const { status, body, headers } = await customer.http.get('/v1/reports/letters');
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '60']);
    expect(body.message).toContain('Ask for a shorter period');
  });
});
