// Level: push
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChangelog } from '#api/docs/changelog/write-changelog.ts';
import { describeChanges } from '#scripts/openapi/describe-changes.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { type AnyJson, readDocument } from '#test/support/project/openapi.ts';

/** A change of the document, and the lines that it must cause. */
const changes: Record<string, (document: AnyJson) => unknown> = {
  'New: `GET /v1/stamps`': (d) => Object.assign(d.paths, { '/v1/stamps': { get: { responses: {} } } }),
  'Breaks clients: `GET /v1/wallet: is gone`\nRemoved: `GET /v1/wallet`': (d) => delete d.paths['/v1/wallet'].get,
  'New event: `MAIL_LOST`': (d) => Object.assign(d.webhooks, { MAIL_LOST: d.webhooks.MAIL_QUEUED }),
  'New parameter `color` of `GET /v1/mails`': (d) =>
    d.paths['/v1/mails'].get.parameters.push({ name: 'color', in: 'query', schema: { type: 'string' } }),
  '`paper` can be sent to `POST /v1/quote`': (d) =>
    Object.assign(d.components.schemas.QuoteRequest.properties, { paper: { type: 'string' } }),
  '`express` can be sent to `POST /v1/quote`': (d) =>
    d.components.schemas.QuoteRequest.properties.serviceType.enum.push('express'),
  '`pages` is no longer required by `POST /v1/quote`': (d) => {
    const quote = d.components.schemas.QuoteRequest;
    quote.required = quote.required.filter((name: string) => name !== 'pages');
  },
  '`isFrozen` is in the answer of `GET /v1/wallet`': (d) =>
    Object.assign(d.components.schemas.Wallet.properties, { isFrozen: { type: 'boolean' } }),
  '`helpUrl` is in the answer of `every error`': (d) =>
    Object.assign(d.components.schemas.Error.properties, { helpUrl: { type: 'string' } }),
  '': (d) => Object.assign(d.info, { description: 'Other words.' }),
};

describe('the changelog', () => {
  test.each(Object.entries(changes))('%j is told', (lines, change) => {
    const changed = structuredClone(readDocument());
    change(changed);
    expect(describeChanges(readDocument(), changed).join('\n')).toBe(lines);
  });

  test('it leads to the committed snapshot, or npm run generate was forgotten', () => {
    const snapshot = readFileSync(join(import.meta.dirname, 'openapi.snapshot.json'));
    const { documentSha256, days } = readChangelog();
    expect(createHash('sha256').update(snapshot).digest('hex')).toBe(documentSha256);
    const dates = days.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].toSorted().reverse());
    for (const { changes: lines } of days) expect(lines.length).toBeGreaterThan(0);
  });

  describe('on the API host', () => {
    const world = startWorld({ hasTariffs: false });
    const get = async (path: string) => await (await fetch(world.url + path)).text();

    test('a page, its twin and a feed tell all of it', async () => {
      const [page, twin, feed] = [
        await get('/docs/guides/changelog'),
        await get('/docs/guides/changelog.md'),
        await get('/docs/changelog.atom'),
      ];
      for (const { date, changes: lines } of readChangelog().days) {
        for (const text of [page, twin, feed]) expect(text).toContain(date);
        for (const line of lines) {
          expect(twin).toContain(`- ${line}\n`);
          expect(feed).toContain(line.replaceAll('`', '').replaceAll('"', '&quot;'));
        }
      }
      expect(feed).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">/);
      expect(feed.match(/<entry>/g)).toHaveLength(readChangelog().days.length);
    });
  });
});
