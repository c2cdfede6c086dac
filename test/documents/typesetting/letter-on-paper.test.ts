// Level: unit
import sharp from 'sharp';
import type { LetterheadContent } from '#common/documents/typesetting/letter-content.ts';
import { useMeasuring } from '#test/support/documents/preflight/use-measuring.ts';
import { aLetterOf, signal, useTypesetting } from '#test/support/documents/typesetting/use-typesetting.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';

const text = `# Title\n\nDear ((name)),\n\n${'Lorem ipsum dolor sit amet. '.repeat(200)}\n\n***\n\nEnd`;
const logos = openOnce(async () => ({
  wide: await sharp({ create: { width: 1_500, height: 200, channels: 3, background: '#102030' } })
    .png()
    .toBuffer(),
  high: await sharp({ create: { width: 90, height: 900, channels: 3, background: '#102030' } })
    .jpeg()
    .toBuffer(),
  tiny: await sharp({ create: { width: 20, height: 10, channels: 3, background: '#102030' } })
    .png()
    .toBuffer(),
}));
const lines = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => `${i}${'W'.repeat(length - 1)}`);

describe('a template letter on paper', () => {
  const pool = useTypesetting();
  const { renderAndMeasure } = useMeasuring();

  test.each<[string, () => LetterheadContent | null]>([
    ['no letterhead', () => null],
    [
      'the largest letterhead',
      () => ({
        logo: { type: 'png', bytes: logos.wide },
        senderLines: lines(6, 120),
        footerLines: lines(4, 120),
      }),
    ],
    ['a high logo', () => ({ logo: { type: 'jpeg', bytes: logos.high }, senderLines: ['Acme'], footerLines: [] })],
    ['a tiny logo', () => ({ logo: { type: 'png', bytes: logos.tiny }, senderLines: [], footerLines: ['Acme'] })],
  ])('with %s, all windows, edges and marks stay free', async (_title, letterhead) => {
    const content = aLetterOf(text, { name: 'Ada' }, { letterhead: letterhead() });
    const { pdf, pageCount } = await pool.typeset(content, 'org', signal);
    expect(pageCount).toBe(3);
    const { warm } = await renderAndMeasure(pdf, pageCount);
    expect(warm?.pages).toHaveLength(3);
    for (const page of warm?.pages ?? []) {
      expect(page).toMatchObject({
        ...{ widthMm: expect.closeTo(210, 1), heightMm: expect.closeTo(297, 1), fitted: null, isBlank: false },
        ...{ outside: [], mark: null, fonts: [], images: [], isIncomplete: false },
        windows: { 'window-left': null, 'window-right': null, registered: null },
      });
    }
  });
});
