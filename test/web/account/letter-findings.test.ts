// Level: push
import { faultDocumentation } from '#common/documents/preflight/fault-findings.ts';
import { findingTable } from '#common/documents/preflight/finding-table.ts';
import { languages } from '#common/languages.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { renderedLetter } from '#test/support/product/rendered-letter.ts';
import { letterTexts } from '#test/support/web/letter-texts.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

describe('what was found in a letter', () => {
  const { world, host } = startWebHost({ hasWorkers: true });

  test.each(languages)('each kind of finding has words in %s', (language) => {
    const codes = Object.keys({ ...findingTable, ...faultDocumentation });
    expect(Object.keys(letterTexts[language].findings.kinds).sort()).toEqual(codes.sort());
  });

  test('is beside its pages, with what to do, in the language of the reader', async () => {
    const customer = await world.customer();
    const { _id } = await renderedLetter(customer);
    const visitor = await host.signedIn({ organizationId: customer.organizationId });
    const { text } = await visitor.get(`/nl/account/letters/${_id}`);
    expect(text).toContain('Een pagina is leeg');
    expect(text).toContain('Verwijder de pagina als u ze niet nodig hebt.');
    expect(text).toMatch(/lang="en"[^>]*>Page 1 is blank\./);
  });
});
