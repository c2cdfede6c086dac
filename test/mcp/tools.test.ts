// Level: unit
import { z } from 'zod';
import { AddressRequest } from '#common/addresses/address.schema.ts';
import { errorCodes } from '#common/errors.ts';
import { MailRequest, QuoteRequest, RequestAddress } from '#common/mail-jobs/model/mail-request.schema.ts';
import { addressFields, letter, pricedFields } from '#common/mcp/fields.schema.ts';
import { nextSteps } from '#common/mcp/tool-error.ts';
import { tools } from '#common/mcp/tools.ts';
import { maxUploadBytes, UploadRequest } from '#common/uploads/upload.schema.ts';
import { describe, expect, test } from '../support/jest.ts';

const names = tools.map(({ name }) => name);
const paying = ['send_letter'];
const destroying = ['send_letter', 'cancel_letter'];
const writing = [...destroying, 'create_upload_link', 'save_address', 'simulate_letter'];

describe('the tools for agents', () => {
  test('there are 14, each with its own name', () => {
    expect(names).toHaveLength(14);
    expect(new Set(names).size).toBe(14);
  });

  test.each(tools.map((tool) => [tool.name, tool] as const))('%s is described for a model', (name, tool) => {
    expect(name).toMatch(/^[a-z]+_[a-z_]+$/);
    expect(tool.title.length).toBeGreaterThan(5);
    // A sentence that says what it does, and one that says when to use it or what follows.
    expect(tool.description.split(/[.:;] /).length).toBeGreaterThan(1);
    expect(tool.description.length).toBeGreaterThan(100);
    // Names of tools in the text are those of tools.
    const named = tool.description.match(/\b[a-z]+_[a-z]+(_[a-z]+)?\b/g) ?? [];
    expect(named.filter((each) => !names.includes(each))).toEqual([]);
  });

  test('the hints tell which tools read, pay and cannot be undone', () => {
    const where = (hint: keyof (typeof tools)[number]['annotations'], value: boolean) =>
      tools.filter(({ annotations }) => annotations[hint] === value).map(({ name }) => name);
    expect(where('readOnlyHint', false).sort()).toEqual([...writing].sort());
    expect(where('destructiveHint', true).sort()).toEqual([...destroying].sort());
    expect(where('openWorldHint', true)).toEqual(paying);
    expect(where('idempotentHint', false).sort()).toEqual(
      ['create_upload_link', 'prepare_letter', 'save_address', 'simulate_letter'].sort(),
    );
  });

  test('each tool publishes the schemas of its arguments and its result', () => {
    for (const { input, output } of tools) {
      expect(z.toJSONSchema(input, { io: 'input' })).toMatchObject({ type: 'object', additionalProperties: false });
      const published = z.toJSONSchema(output, { io: 'output' });
      expect(published).toMatchObject({ type: 'object', required: expect.arrayContaining(['mode']) });
      // Closed objects would make clients refuse the answers of a newer API.
      expect(JSON.stringify(published)).not.toContain('"additionalProperties":false');
    }
    // Models read the list in each conversation.
    const all = tools.map(({ name, description, input, output }) => [
      name,
      description,
      z.toJSONSchema(input, { io: 'input' }),
      z.toJSONSchema(output),
    ]);
    expect(JSON.stringify(all).length).toBeLessThan(40_000);
  });

  test('every argument is a field of the request that the tool makes', () => {
    const within = (fields: object, known: object) =>
      expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(fields)));
    within(letter.shape, MailRequest.shape);
    within(pricedFields, QuoteRequest.shape);
    within(addressFields, RequestAddress.shape);
    const inputOf = (name: string) => tools.find((tool) => tool.name === name)?.input.shape ?? {};
    within(inputOf('save_address'), AddressRequest.shape);
    within(inputOf('quote_letter'), QuoteRequest.shape);
    within(inputOf('create_upload_link'), UploadRequest.shape);
    const largest = { filename: 'a.pdf', mimeType: 'application/pdf', sizeBytes: maxUploadBytes };
    const upload = tools.find(({ name }) => name === 'create_upload_link');
    expect(upload?.input.safeParse(largest).success).toBe(true);
    expect(upload?.input.safeParse({ ...largest, sizeBytes: maxUploadBytes + 1 }).success).toBe(false);
  });

  test('for each error there is a next step', () => {
    expect(Object.keys(nextSteps)).toEqual(expect.arrayContaining(errorCodes));
    for (const [code, step] of Object.entries(nextSteps)) {
      expect([code, /^[A-Z].{20,}\.$/.test(step)]).toEqual([code, true]);
      const named = step.match(/\b[a-z]+_[a-z]+(_[a-z]+)?\b/g) ?? [];
      expect(named.filter((each) => !names.includes(each))).toEqual([]);
    }
  });
});
