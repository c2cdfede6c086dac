// Level: unit
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBreakingChanges } from '#scripts/openapi/find-breaking-changes.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { root } from '#test/support/project/markdown.ts';
import { type AnyJson, readDocument } from '#test/support/project/openapi.ts';

/** Parts of the document that the cases below change. */
const quoteBody = (document: AnyJson) => document.components.schemas.QuoteRequest;
const mailBody = (document: AnyJson) => document.components.schemas.MailJobRequest;
const mail = (document: AnyJson) => document.components.schemas.MailJob;
const listMails = (document: AnyJson) => document.paths['/v1/mails'].get;
const parameter = (document: AnyJson, name: string) =>
  listMails(document).parameters.find((each: AnyJson) => each.name === name);

const statuses = '"queued","printed","posted","delivered","failed"';

/** A change of the document, and the finding that it must cause. */
const breaking: Record<string, (document: AnyJson) => unknown> = {
  'GET /v1/wallet: is gone': (d) => delete d.paths['/v1/wallet'].get,
  'POST /v1/quote: is gone': (d) => delete d.paths['/v1/quote'],
  'POST /v1/mails 200: is gone': (d) => delete d.paths['/v1/mails'].post.responses['200'],
  'GET /v1/mails/{id} 200.counts: is gone': (d) => {
    delete mail(d).properties.counts;
    mail(d).required = mail(d).required.filter((name: string) => name !== 'counts');
  },
  'GET /v1/mails/{id} 200.files: may now be missing': (d) =>
    mail(d).required.splice(mail(d).required.indexOf('files'), 1),
  'GET /v1/mails/{id} 200.totalCents: type was ["integer"], is ["string"]': (d) =>
    Object.assign(mail(d).properties.totalCents, { type: 'string' }),
  'GET /v1/mails/{id} 200.dropAt: type was ["string"], is ["string","null"]': (d) =>
    Object.assign(mail(d).properties.dropAt, { type: ['string', 'null'] }),
  [`GET /v1/mails/{id} 200.status: enum was [${statuses}], is [${statuses},"cancelled"]`]: (d) =>
    mail(d).properties.status.enum.push('cancelled'),
  'GET /v1/mails/{id} 200.amounts.lines[].vatPercent: is gone': (d) =>
    delete d.components.schemas.Amounts.properties.lines.items.properties.vatPercent,
  'POST /v1/mails body.dryRun: is no longer taken': (d) => delete mailBody(d).properties.dryRun,
  'POST /v1/quote body.color: is now required': (d) => quoteBody(d).required.push('color'),
  // A new field.
  'POST /v1/quote body.paper: is now required': (d) => {
    quoteBody(d).properties.paper = { type: 'string' };
    quoteBody(d).required.push('paper');
  },
  'POST /v1/quote body.pages: maximum was 2000, is 1000': (d) =>
    Object.assign(quoteBody(d).properties.pages, { maximum: 1_000 }),
  'POST /v1/quote body.zone: enum was ["NATIONAL","INTERNATIONAL"], is ["NATIONAL"]': (d) =>
    quoteBody(d).properties.zone.enum.pop(),
  'POST /v1/quote body.color: type was ["boolean","null"], is ["boolean"]': (d) =>
    Object.assign(quoteBody(d).properties.color, { type: 'boolean' }),
  'POST /v1/uploads body.mimeType: pattern was anything, is "^image"': (d) =>
    Object.assign(d.components.schemas.UploadRequest.properties.mimeType, { pattern: '^image' }),
  'POST /v1/mails/{id}/simulate body: is now required': (d) =>
    Object.assign(d.paths['/v1/mails/{id}/simulate'].post.requestBody, { required: true }),
  'GET /v1/mails query externalId: is no longer taken': (d) => {
    listMails(d).parameters = listMails(d).parameters.filter(({ name }: AnyJson) => name !== 'externalId');
  },
  'GET /v1/mails query status: is now required': (d) => Object.assign(parameter(d, 'status'), { required: true }),
  'GET /v1/mails query limit: maximum was 100, is 50': (d) =>
    Object.assign(parameter(d, 'limit').schema, { maximum: 50 }),
  'MAIL_PRINTED: is gone': (d) => delete d.webhooks.MAIL_PRINTED,
  'MAIL_POSTED.postedAt: is gone': (d) => delete d.components.schemas.MailPostedEvent.properties.postedAt,
  'MAIL_FAILED header X-Service-Signature: is gone': (d) => d.webhooks.MAIL_FAILED.post.parameters.shift(),
  'errors.issues: is gone': (d) => delete d.components.schemas.Error.properties.issues,
};

const harmless: Record<string, (document: AnyJson) => unknown> = {
  'an operation is new': (d) => Object.assign(d.paths, { '/v1/parcels': { get: listMails(d) } }),
  'an answer has a new field': (d) => Object.assign(mail(d).properties, { paper: { type: 'string' } }),
  'a body has a new field': (d) => Object.assign(quoteBody(d).properties, { paper: { type: 'string' } }),
  'a body takes more': (d) => Object.assign(quoteBody(d).properties.pages, { maximum: 3_000 }),
  'a field of a body may be left out': (d) => quoteBody(d).required.pop(),
  'a list of a body grows': (d) => quoteBody(d).properties.zone.enum.push('SPACE'),
  'a parameter is new': (d) => listMails(d).parameters.push({ name: 'zone', in: 'query', schema: { type: 'string' } }),
  'an answer is never null any more': (d) => Object.assign(mail(d).properties.externalId, { type: 'string' }),
  'an open list is longer': (d) => d.components.schemas.Failure.properties.code.examples.push('NEW'),
  'texts are better': (d) => Object.assign(listMails(d), { summary: 'x', description: 'y' }),
  'the address is another': (d) => Object.assign(d.servers[0], { url: 'https://letters.example' }),
};

const contract = readFileSync(join(root, 'test/api/openapi/openapi.snapshot.json'), 'utf8');
const configuration = readFileSync(join(root, 'scripts/contract/schemathesis.toml'), 'utf8');
/** Each exception is a paragraph that starts with its reason. */
const parts = configuration.split('\n\n');

describe('breaking changes of the API', () => {
  const before = readDocument();

  test.each(Object.entries(breaking))('breaking: %s', (finding, change) => {
    const after = readDocument();
    change(after);
    expect(findBreakingChanges(before, after)).toContain(finding);
  });

  test.each(Object.entries(harmless))('compatible: %s', (_what, change) => {
    const after = readDocument();
    change(after);
    expect(findBreakingChanges(before, after)).toEqual([]);
  });
});

describe('the exceptions of the contract test', () => {
  test('no check is disabled or loosened for all operations', () => {
    for (const part of parts.filter((text) => /\benabled\s*=\s*false/.test(text))) {
      // Exceptions disable a whole operation, never a check.
      expect(part).toMatch(/^# .+[\s\S]*\[\[operations\]\]\ninclude-operation-id = "\w+"\nenabled = false\n?$/);
    }
    expect(configuration).not.toMatch(/^\s*(exclude|baseline|warnings)/m);
    for (const part of parts.filter((text) => text.includes('checks'))) {
      expect(part.startsWith('#') && (part.includes('[[operations]]') || !/^[^#]*checks/m.test(part))).toBe(true);
    }
  });

  test('each exception names existing operations and gives a reason', () => {
    const exceptions = parts.filter((part) => part.includes('[[operations]]') && part.includes('checks'));
    expect(exceptions.length).toBeGreaterThan(0);
    for (const exception of exceptions) {
      expect(exception).toMatch(/^# .+/);
      const named = /^include-operation-id = (.+)$/m.exec(exception)?.[1] ?? '';
      const operationIds = [...named.matchAll(/"(\w+)"/g)].map(([, id]) => id);
      expect(operationIds.length).toBeGreaterThan(0);
      for (const id of operationIds) expect(contract).toContain(`"operationId": "${id}"`);
    }
  });
});
