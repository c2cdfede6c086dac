// Level: push
import { TemplateVersionModel } from '#common/templates/template.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const template = { name: 'Reminder', language: 'fr', text: 'Bonjour ((nom)), ((retard??en retard))' };

describe('POST /v1/templates', () => {
  const world = startWorld({ hasTariffs: false });
  const customer = openOnce(() => world.customer());
  const create = (body: object) => customer.http.post('/v1/templates', body);

  test('a template is stored as its first version, with its variables', async () => {
    const { status, body } = await create(template);
    expect([status, body]).toEqual([
      201,
      {
        ...template,
        templateId: expect.stringMatching(/^tpl_/),
        version: 1,
        variables: [
          { name: 'nom', isPrinted: true, isRecipient: false },
          { name: 'retard', isPrinted: false, isRecipient: false },
        ],
        createdAt: expect.any(String),
        createdBy: { kind: 'api_key', id: customer.keyId },
      },
    ]);
    expect((await customer.http.get(`/v1/templates/${body.templateId}`)).body).toEqual(body);
  });

  test('faults of the text are named with their lines, all at once', async () => {
    const { status, body } = await create({ ...template, text: 'a\n((b\n\n### c\n\n漢' });
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      { path: ['text'], message: expect.stringMatching(/^Line 2: \(\( is not closed/) },
      { path: ['text'], message: 'Line 4: There are two levels of headings: write # or ##.' },
      { path: ['text'], message: 'Line 6: The font of letters has no 漢' },
    ]);
    expect(await TemplateVersionModel.countDocuments({ text: /### c/ })).toBe(0);
  });

  test.each([
    ['name', { name: ' ' }],
    ['language', { language: 'es' }],
    ['text', { text: '' }],
    ['text', { text: 'x'.repeat(50_001) }],
    ['text', { text: null }],
  ])('a template with a wrong %s is refused', async (field, change) => {
    const answer = await create({ ...template, ...change });
    expect([answer.status, issuePaths(answer)]).toEqual([400, [field]]);
  });

  test('an owner has at most 500 templates', async () => {
    const other = await world.customer();
    const { body } = await other.http.post('/v1/templates', template);
    const { Template } = await import('#common/templates/template.model.ts');
    const row = await Template.findById(body.templateId).orFail().lean();
    await Template.insertMany(Array.from({ length: 499 }, (_, i) => ({ ...row, _id: `${body.templateId}${i}` })));
    const refused = await other.http.post('/v1/templates', template);
    expect([refused.status, refused.body.code]).toEqual([409, 'LIMIT_REACHED']);
  });
});
