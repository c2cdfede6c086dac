// Level: push
import sharp from 'sharp';
import { AuditEntry } from '#common/audit/audit.model.ts';
import { letterheadLimits } from '#common/templates/letterheads.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

const path = '/v1/templates/letterhead';
const lines = { senderLines: ['Example Ltd', 'Rue Haute 1'], footerLines: ['VAT BE 0123.456.749'] };
const logo = openOnce(async () => {
  const create = { width: 30, height: 10, channels: 3, background: '#804020' } as const;
  return { png: (await sharp({ create }).png().toBuffer()).toString('base64') };
});

describe('PATCH /v1/templates/letterhead', () => {
  const world = startWorld({ hasTariffs: false });

  test('a change is read in both modes, keeps absent fields and names its actor', async () => {
    const { http, organizationId } = await world.customer({ mode: 'live' });
    const before = { senderLines: [], footerLines: [], logo: null, updatedAt: null };
    expect((await http.get(path)).body).toEqual(before);
    const first = await http.patch(path, { ...lines, logo: logo.png });
    const stored = { ...lines, logo: { mimeType: 'image/png', base64: logo.png } };
    expect([first.status, first.body]).toMatchObject([200, stored]);
    const test = await world.customer({ organizationId });
    expect((await test.http.get(path)).body).toEqual(first.body);

    expect((await http.patch(path, { footerLines: [] })).body).toMatchObject({ ...stored, footerLines: [] });
    expect((await http.patch(path, { logo: null })).body).toMatchObject({ ...lines, footerLines: [], logo: null });
    const entries = await AuditEntry.find({ organizationId, action: 'letterhead.set' }).lean();
    expect(entries.map(({ actor }) => actor.kind)).toEqual(['key', 'key', 'key']);
    expect(entries.filter(({ detail }) => detail.hasNewLogo)).toHaveLength(1);
  });

  test('a test key can read the letterhead and not change it', async () => {
    const { http } = await world.customer();
    expect((await http.patch(path, lines)).status).toBe(403);
    expect((await http.get(path)).body.updatedAt).toBeNull();
  });

  test('each fault is named by its field, and nothing is stored', async () => {
    const { http } = await world.customer({ mode: 'live' });
    const tooMany = Array.from({ length: letterheadLimits.senderLines + 1 }, () => 'x');
    const cases: [object, (string | number)[]][] = [
      [{}, []],
      [{ ...lines, other: 1 }, ['other']],
      [{ senderLines: tooMany }, ['senderLines']],
      [{ footerLines: ['x'.repeat(letterheadLimits.lineLength + 1)] }, ['footerLines', 0]],
      [{ footerLines: ['fine', '漢字'] }, ['footerLines', 1]],
      [{ logo: 'no base64!' }, ['logo']],
      [{ logo: Buffer.from('GIF89a').toString('base64') }, ['logo']],
      [{ logo: Buffer.alloc(letterheadLimits.logoBytes + 1).toString('base64') }, ['logo']],
    ];
    for (const [body, issuePath] of cases) {
      const { status, body: answer } = await http.patch(path, body);
      expect([status, answer.issues?.[0]?.path]).toEqual([400, issuePath]);
    }
    expect((await http.get(path)).body.updatedAt).toBeNull();
  });
});
