// Level: push
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { type Language, languages } from '#common/languages.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { byLevel, describe, expect, openOnce } from '../support/jest.ts';
import { anApplication, anAttempt } from '../support/product/application.ts';
import { testInBrowser, useBrowser } from '../support/web/open-browser.ts';
import { startWebHost } from '../support/web/web-host.ts';

/** Labels of the buttons of sign-in and consent. */
const words: Record<Language, { signIn: string; allow: string; deny: string }> = {
  en: { signIn: 'Sign in', allow: 'Allow', deny: 'Deny' },
  fr: { signIn: 'Se connecter', allow: 'Autoriser', deny: 'Refuser' },
  nl: { signIn: 'Aanmelden', allow: 'Toestaan', deny: 'Weigeren' },
  de: { signIn: 'Anmelden', allow: 'Erlauben', deny: 'Ablehnen' },
};

describe('consent in a browser', () => {
  const { world, host } = startWebHost();
  const openPage = useBrowser();
  const user = openOnce(() => host.makeUser());
  /** An application whose page is on another origin. */
  const app = openOnce(async () => {
    const server = createServer((_request, response) => {
      const page = '<!DOCTYPE html><title>back</title><link rel="icon" href="data:,">';
      response.setHeader('Content-Type', 'text/html').end(page);
    });
    const redirectUri = `http://127.0.0.1:${await listen(server, 0)}/callback`;
    return { ...(await anApplication(world, { redirectUri })), close: () => closeServer(server) };
  });

  const addressIn = (language: Language) => {
    const { clientId, redirectUri } = app;
    const { verifier, query } = anAttempt({ clientId, redirectUri, scopes: ['read', 'wallet'], state: 'ü 信' });
    return { verifier, address: `${host.url}/${language}/oauth/authorize?${query}` };
  };
  const landed = async (page: Page): Promise<URLSearchParams> => {
    await page.waitForURL(`${app.redirectUri}?**`);
    return new URL(page.url()).searchParams;
  };

  const tried = byLevel<readonly Language[]>({ quick: ['en'], full: languages });
  testInBrowser.each(tried)('consent in %s can be granted and denied with the keyboard alone', async (language) => {
    const { page, troubles, close } = await openPage(host.url);
    const { verifier, address } = addressIn(language);
    await page.goto(address);
    await page.locator('input[name=email]').focus();
    await page.keyboard.type(user.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(user.password);
    expect(await page.locator('button[value=sign-in]').innerText()).toBe(words[language].signIn);
    await page.keyboard.press('Enter');

    const allow = page.getByRole('button', { name: words[language].allow, exact: true });
    await allow.focus();
    await page.keyboard.press('Enter');
    const granted = await landed(page);
    expect([granted.get('state'), granted.get('iss')]).toEqual(['ü 信', world.config.http.baseUrl]);
    const form = { grant_type: 'authorization_code', redirect_uri: app.redirectUri, code_verifier: verifier };
    expect((await app.token({ ...form, code: granted.get('code') ?? '' })).body.scope).toBe('read wallet');

    await page.goto(addressIn(language).address);
    await allow.focus();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe(words[language].deny);
    await page.keyboard.press('Enter');
    const denied = await landed(page);
    expect([denied.get('error'), denied.get('state'), denied.has('code')]).toEqual(['access_denied', 'ü 信', false]);
    // The browser contacted only the application, once per redirect.
    expect(troubles.map((trouble) => trouble.startsWith(`asks ${app.redirectUri}?`))).toEqual([true, true]);
    await close();
  });
});
