// Level: push
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { download } from '#test/support/product/download.ts';
import { renderedLetter } from '#test/support/product/rendered-letter.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/mails/{id}/preview', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const customer = openOnce(() => world.customer());

  test('a preview is a PNG of one page of the copy', async () => {
    const letter = await renderedLetter(customer, { pages: 2 });
    const previewOf = async (page: string) => await customer.http.get(`/v1/mails/${letter._id}/preview?page=${page}`);
    const { body } = await previewOf('2');
    const { type, bytes } = await download(body.url);
    expect([type, bytes.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG']);
    expect((await previewOf('3')).status).toBe(404);
    for (const page of ['0', '-1', '1.5', 'x']) expect((await previewOf(page)).status).toBe(400);
  });
});
