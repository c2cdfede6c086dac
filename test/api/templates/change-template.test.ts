// Level: push
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';

const template = { name: 'Reminder', language: 'en', text: 'Dear ((name))' };

describe('PATCH /v1/templates/{id}', () => {
  const world = startWorld({ hasTariffs: false });
  const customer = openOnce(() => world.customer());

  async function create(): Promise<string> {
    return `/v1/templates/${(await customer.http.post('/v1/templates', template)).body.templateId}`;
  }

  test('each change adds a version, and earlier ones stay readable', async () => {
    const path = await create();
    const { status, body } = await customer.http.patch(path, { text: 'Hello ((name))', language: 'nl' });
    expect([status, body]).toMatchObject([
      200,
      { version: 2, name: 'Reminder', language: 'nl', text: 'Hello ((name))' },
    ]);
    expect((await customer.http.get(path)).body).toEqual(body);
    expect((await customer.http.get(`${path}?version=1`)).body).toMatchObject({ ...template, version: 1 });
    expect((await customer.http.get(`${path}?version=3`)).status).toBe(404);
  });

  test('a change that changes nothing adds no version', async () => {
    const path = await create();
    expect((await customer.http.patch(path, { ...template, name: null })).body.version).toBe(1);
  });

  test('a change based on an older version is a conflict', async () => {
    const path = await create();
    await customer.http.patch(path, { text: 'First', basedOn: 1 });
    const late = await customer.http.patch(path, { text: 'Second', basedOn: 1 });
    expect([late.status, late.body.code]).toEqual([409, 'CONFLICT']);
    expect((await customer.http.get(path)).body.text).toBe('First');
  });

  test('of simultaneous changes each is a version of its own', async () => {
    const path = await create();
    const texts = Array.from({ length: 8 }, (_, i) => `Text ${i}`);
    const change = (text: string) => untilAnswered(() => customer.http.patch(path, { text }));
    const answers = await Promise.all(texts.map(change));
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.version)).size).toBe(8);
    const { body } = await customer.http.get(`${path}/versions`);
    expect(body.data.map(({ version }: { version: number }) => version)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test('a text with faults is refused, and the template stays', async () => {
    const path = await create();
    expect((await customer.http.patch(path, { text: '((' })).status).toBe(400);
    expect((await customer.http.get(path)).body.version).toBe(1);
  });
});
