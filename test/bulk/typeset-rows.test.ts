// Level: push
import { typesetRows } from '#common/bulk/documents/typeset-rows.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { mergeLetter } from '#common/templates/merge-letter.ts';
import { readVersion } from '#common/templates/read-templates.ts';
import { signal, textOf, useTypesetting } from '#test/support/documents/typesetting/use-typesetting.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('typesetting the rows of a bulk', () => {
  const world = startWorld({ hasTariffs: false });
  const customer = openOnce(() => world.customer());
  const typesetting = useTypesetting();

  test('ends with the first error: no letter is set after it', async () => {
    const owner = { organizationId: customer.organizationId, mode: customer.mode };
    const { templateId } = await createTemplate(owner, { name: 'Hello', language: 'en', text: 'Hello' }, new Date());
    const version = await readVersion(owner, templateId, 1);
    const work = { version, mapping: { fields: {}, variables: [] }, zone: null, typesetting };
    const rows = Array.from({ length: 12 }, () => ({ cells: [] }));
    const used: number[] = [];
    const use = async (_: unknown, index: number) => {
      used.push(index);
      if (index === 2) throw new Error('no storage');
      return index;
    };
    await expect(typesetRows(rows, work, use, signal)).rejects.toThrow('no storage');
    const usedBefore = [...used];
    expect(await typesetRows(rows.slice(0, 2), work, async (_, index) => index, signal)).toEqual([0, 1]);
    expect(used).toEqual(usedBefore);
    expect(used.length).toBeLessThan(5);
  });

  test('numbers have the decimal sign of the template, from a list and from a program', async () => {
    const owner = { organizationId: customer.organizationId, mode: customer.mode };
    const text = 'Te betalen: ((amount)) voor ((pieces)) stuks';
    const { templateId } = await createTemplate(owner, { name: 'Dutch', language: 'nl', text }, new Date());
    const version = await readVersion(owner, templateId, 1);
    const variables = ['amount', 'pieces'].map((name, column) => ({ name, column }));
    const work = { version, mapping: { fields: {}, variables }, zone: null, typesetting };
    const rows = [{ cells: ['€ 1,480.58', '12.0'] }, { cells: ["'4.2", '12'] }];
    const texts = await typesetRows(rows, work, async ({ letter }) => (letter ? textOf(letter) : ''), signal);
    expect(texts.map((each) => each.trim().split('\n')[0])).toEqual([
      'Te betalen: € 1.480,58 voor 12 stuks',
      'Te betalen: 4.2 voor 12 stuks',
    ]);
    const letter = await mergeLetter(version, { amount: 1480.5, pieces: 12 }, { typesetting }, signal);
    expect(textOf(letter)).toContain('1480,5 voor 12');
  });
});
