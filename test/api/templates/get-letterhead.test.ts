// Level: push
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/templates/letterhead', () => {
  const world = startWorld({ hasTariffs: false });

  test('an organization without a letterhead has an empty one, whatever others have', async () => {
    const [owner, other] = [await world.customer({ mode: 'live' }), await world.customer({ mode: 'live' })];
    const changed = await owner.http.patch('/v1/templates/letterhead', { senderLines: [' Example Ltd '] });
    const { status, body } = await owner.http.get('/v1/templates/letterhead');
    expect([status, body]).toEqual([200, changed.body]);
    expect(body).toMatchObject({ senderLines: ['Example Ltd'], footerLines: [], logo: null });
    const none = { senderLines: [], footerLines: [], logo: null, updatedAt: null };
    expect((await other.http.get('/v1/templates/letterhead')).body).toEqual(none);
  });
});
