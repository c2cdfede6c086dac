// Level: push
import { typesetRows } from '#common/bulk/documents/typeset-rows.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { readVersion } from '#common/templates/read-templates.ts';
import { signal, useTypesetting } from '#test/support/documents/typesetting/use-typesetting.ts';
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
    const work = { version, mapping: { fields: {}, variables: [] }, typesetting };
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
});
