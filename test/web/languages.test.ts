// Level: push
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, languages } from '#common/languages.ts';
import { describe, expect, test } from '../support/jest.ts';
import { startWebHost } from '../support/web/web-host.ts';

describe('the languages of the web host', () => {
  const { host } = startWebHost({ hasTariffs: false });

  const languageOf = (page: string) => /<html lang="(\w+)">/.exec(page)?.[1];

  test.each(languages)('pages under /%s are in that language, whatever the browser prefers', async (language) => {
    const headers = { 'accept-language': language === 'fr' ? 'nl' : 'fr' };
    for (const path of ['', '/', '/sign-in', '/nothing']) {
      const answer = await host.visitor().get(`/${language}${path}`, headers);
      expect([path, languageOf(answer.text)]).toEqual([path, language]);
      expect(answer.headers.get('content-language')).toBe(language);
    }
    const { text } = await host.visitor().get(`/${language}/sign-in`);
    const title = { en: 'Sign in', nl: 'Aanmelden', fr: 'Connexion', de: 'Anmelden' };
    expect(text).toContain(`<h1>${title[language]}</h1>`);
    expect(text).toContain('value="sign-in"');
  });

  test.each([
    ['nl-BE,nl;q=0.9,en;q=0.8', 'nl'],
    ['es,de;q=0.5', 'de'],
    ['fr;q=0.2, en;q=0.1', 'fr'],
    ['es', 'en'],
    ['*', 'en'],
    ['', 'en'],
  ])('without a prefix, a browser that prefers %j gets %s', async (accepted, language) => {
    const answer = await host.visitor().get('/sign-in', { 'accept-language': accepted });
    expect([answer.status, languageOf(answer.text)]).toEqual([200, language]);
    expect(answer.headers.get('vary')).toContain('Accept-Language');
  });

  test('the language chosen by a user applies on all their browsers', async () => {
    const visitor = await host.signedIn();
    const saved = await visitor.send('/en/account/profile', '/account/profile/language', { language: 'de' });
    expect([saved.status, saved.location]).toEqual([303, '/account/profile?notice=languageSaved']);
    expect((await visitor.get(saved.location ?? '')).text).toContain('Sprache gespeichert.');
    const elsewhere = host.visitor();
    expect((await elsewhere.signIn(visitor.user)).location).toBe('/account');
    const asks = { 'accept-language': 'fr' };
    expect(languageOf((await elsewhere.get('/account', asks)).text)).toBe('de');
    expect(languageOf((await elsewhere.get('/nl/account', asks)).text)).toBe('nl');

    await visitor.send('/account/profile', '/account/profile/language', { language: 'browser' });
    expect(languageOf((await elsewhere.get('/account', asks)).text)).toBe('fr');
    expect((await visitor.send('/account/profile', '/account/profile/language', { language: 'es' })).status).toBe(400);
  });

  test('the language links lead to the same page and query', async () => {
    const { text } = await host.visitor().get('/fr/sign-in?next=%2Faccount');
    for (const language of languages) expect(text).toContain(`href="/${language}/sign-in?next=%2Faccount"`);
  });

  test('no sentence of another language is still in English', async () => {
    const english = sentencesOf(await textsOf('en'));
    const others = await Promise.all(languages.filter((language) => language !== 'en').map(textsOf));
    const same = others.flatMap((texts) => sentencesOf(texts).filter((sentence) => english.includes(sentence)));
    // Only sentences of several words. Single words such as "Status" may be the same.
    expect(same.filter((sentence) => sentence.split(' ').length > 2)).toEqual([]);
  });

  test('no page says “bulk”, in any language: people send to a list', async () => {
    const words = {
      en: 'Send to a list',
      nl: 'Lijst versturen',
      fr: 'Envoyer à une liste',
      de: 'An eine Liste senden',
    };
    for (const language of languages) {
      const texts = await textsOf(language);
      expect([texts.frame.pages.bulk, texts.bulk.title]).toEqual([words[language], words[language]]);
      expect(allTextsOf(texts).filter((text) => /bulk|envois? groupé|briefserie/i.test(text))).toEqual([]);
    }
  });
});

/** Returns the texts of pages and mails in one language, by the names under which their files export them. */
async function textsOf(language: Language) {
  const cwd = join(import.meta.dirname, '../../api/web');
  const files = globSync([`**/*texts.${language}.ts`, `texts/${language}/*.ts`], { cwd });
  const modules = await Promise.all(files.map((file) => import(join(cwd, file))));
  return Object.assign({}, ...modules);
}

/** Returns all texts, of functions their source. */
function allTextsOf(texts: unknown): string[] {
  if (typeof texts === 'object' && texts !== null) return Object.values(texts).flatMap(allTextsOf);
  return [String(texts)];
}

function sentencesOf(texts: object): string[] {
  return Object.values(texts).flatMap((text) =>
    typeof text === 'string' ? [text] : typeof text === 'object' ? sentencesOf(text) : [],
  );
}
