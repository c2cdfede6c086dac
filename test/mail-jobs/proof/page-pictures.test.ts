// Level: ci
import { randomUUID } from 'node:crypto';
import type { WarmPool } from '#common/documents/warm/warm-pool.ts';
import { createPagePictures, type PictureSource } from '#common/mail-jobs/proof/page-pictures.ts';
import { createLog } from '#common/platform/process/log.ts';
import { useWarmPool } from '#test/support/documents/use-rendering.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { aPdf } from '#test/support/product/customer.ts';

describe('previews of pages under load', () => {
  const pool = useWarmPool();

  /** Creates page pictures and counts the drawings in processes of their own. */
  function openRenderer(warmPool: WarmPool | null = null) {
    let drawings = 0;
    const write = (line: string) => {
      if (line.includes('"msg":"document process finished"')) drawings += 1;
    };
    const { draw } = createPagePictures({ warmPool, log: createLog('test', 'debug', { write }) });
    return { draw, drawings: () => drawings };
  }

  function letterOf(organizationId: string, bytes: Buffer): PictureSource {
    return { owner: { organizationId, mode: 'test' }, name: randomUUID(), open: async () => ({ bytes }) };
  }

  test('simultaneous requests for a page share one drawing', async () => {
    const { draw, drawings } = openRenderer();
    const letter = letterOf('one', await aPdf(1));
    const pictures = await Promise.all(Array.from({ length: 10 }, () => draw(letter, 1)));
    expect(drawings()).toBe(1);
    for (const picture of pictures) expect(picture.equals(pictures[0] ?? Buffer.of())).toBe(true);
  });

  test('a warm process draws the same picture; what it cannot draw gets a process of its own', async () => {
    const [warm, own] = [openRenderer(pool), openRenderer()];
    const letter = letterOf('one', await aPdf(2));
    expect((await warm.draw(letter, 2)).equals(await own.draw(letter, 2))).toBe(true);
    expect(warm.drawings()).toBe(0);
    const broken = letterOf('one', Buffer.from('%PDF-1.7 broken'));
    await expect(warm.draw(broken, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(warm.drawings()).toBe(1);
  });

  test('a page that cannot be drawn is tried once and then refused at once', async () => {
    const { draw, drawings } = openRenderer();
    const letter = letterOf('one', Buffer.from('%PDF-1.7 broken'));
    for (let time = 0; time < 3; time += 1) await expect(draw(letter, 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(drawings()).toBe(1);
  });

  test('an organization that requests 70 pages does not delay another one', async () => {
    const { draw } = openRenderer();
    const [greedy, modest] = [letterOf('greedy', await aPdf(70)), letterOf('modest', await aPdf(1))];
    const order: string[] = [];
    const asked = Array.from({ length: 70 }, async (_, index) => {
      const isDrawn = await draw(greedy, index + 1).then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
          return false;
        },
      );
      if (isDrawn) order.push('greedy');
    });
    await draw(modest, 1).then(() => order.push('modest'));
    // Only drawings that were already in progress finish before it.
    expect(order.indexOf('modest')).toBeLessThanOrEqual(2);
    await Promise.all(asked);
    expect(order.length).toBeGreaterThan(2);
  });
});
