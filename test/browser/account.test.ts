import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aLetter } from '../support/builders.ts';
import { createClient } from '../support/client.ts';
import { findBarriers, testInBrowser, useBrowser } from '../support/open-browser.ts';
import { openWebHost, type WebHost } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

/** What the first page of a new visitor may weigh. */
const maxTransferBytes = 60_000;
const screenshotFolder = process.env.SCREENSHOTS;

describe('the account area in a browser (skipped where there is no /usr/bin/chromium)', () => {
  const world = startWorld();
  const openPage = useBrowser();
  let host: WebHost;
  beforeAll(async () => {
    host = await openWebHost(world);
  });
  afterAll(async () => host.close());

  testInBrowser(
    'given a keyboard alone, when somebody signs in, makes a key, sends a first letter with it and revokes it, then all of it goes well',
    async () => {
      const { email, password } = await host.makeUser();
      const { page, troubles, close } = await openPage(host.url, { reducedMotion: 'reduce' });
      await page.goto(`${host.url}/account/api-keys`);
      await tabTo(page, 'E-mail address');
      await page.keyboard.type(email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();

      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
      await page.keyboard.press('Enter');
      await tabTo(page, 'Name (optional)');
      await page.keyboard.type('Keyboard');
      await tabTo(page, 'wallet');
      await page.keyboard.press('Space');
      await tabTo(page, 'Create the key');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Your new key' }).waitFor();
      await keepPicture(page, 'new-key');
      expect(await findBarriers(page)).toEqual([]);
      const key = (await page.locator('#new-key').textContent()) ?? '';
      const http = createClient(world.url, key);
      expect((await http.get('/v1/wallet')).status).toBe(200);
      expect((await http.post('/v1/mails', await aLetter({ http }))).status).toBe(201);

      await tabTo(page, 'I have stored the key');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
      await tabTo(page, `Revoke the key Keyboard (${key.split('_')[1]})`);
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: 'no longer works' }).waitFor();
      expect((await http.get('/v1/wallet')).status).toBe(401);

      await tabTo(page, 'Sign out');
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: 'You are signed out.' }).waitFor();
      expect(troubles).toEqual([]);
      await close();
    },
    60_000,
  );

  testInBrowser(
    'given a keyboard alone, when the statement of this month is asked for, then it comes down as a file that adds up',
    async () => {
      const user = await host.makeUser();
      const customer = await world.customer({ organizationId: user.organizationId });
      expect((await customer.http.post('/v1/mails', await aLetter(customer))).status).toBe(201);
      const { page, troubles, close } = await openPage(host.url, { reducedMotion: 'reduce' });
      await signIn(page, user);
      await page.goto(`${host.url}/en/account/wallet/statements?mode=test`);
      const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'Europe/Brussels' });
      await tabTo(page, `Download the statement of ${month.format(new Date())} as JSON`);
      const downloading = page.waitForEvent('download');
      await page.keyboard.press('Enter');
      const { openingBalanceCents, lines, closingBalanceCents } = JSON.parse(
        await readFile(await (await downloading).path(), 'utf8'),
      );
      const movedCents = lines.reduce((sum: number, { amountCents }: { amountCents: number }) => sum + amountCents, 0);
      expect(lines).toHaveLength(2);
      expect(openingBalanceCents + movedCents).toBe(closingBalanceCents);
      expect(closingBalanceCents).toBe(await customer.balanceCents());
      expect(troubles).toEqual([]);
      await close();
    },
    60_000,
  );

  testInBrowser(
    'given a form that does not fit, when it is sent, then one alert, what was typed, and no barrier in light and dark',
    async () => {
      const { email } = await host.makeUser();
      const { page, close } = await openPage(host.url, { reducedMotion: 'reduce' });
      await page.goto(`${host.url}/de/sign-in`);
      await page.getByLabel('E-Mail-Adresse').fill(email);
      await page.getByLabel('Passwort').fill('falsch');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').count()).toBe(1);
      expect(await page.getByLabel('E-Mail-Adresse').inputValue()).toBe(email);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await keepPicture(page, `wrong-password-${colorScheme}`);
        expect(await findBarriers(page)).toEqual([]);
      }
      await close();
    },
    60_000,
  );

  testInBrowser(
    'given a narrow screen, when the menu is opened, then it leads on, and Escape closes it',
    async () => {
      const user = await host.makeUser();
      const { page, troubles, close } = await openPage(host.url, { viewport: { width: 360, height: 740 } });
      await signIn(page, user);
      const navigation = page.getByRole('navigation', { name: 'Account' });
      expect(await navigation.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      expect(await navigation.isVisible()).toBe(true);
      await keepPicture(page, 'menu');
      await page.keyboard.press('Escape');
      expect(await navigation.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      await navigation.getByRole('link', { name: 'Profile' }).click();
      await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
      expect(troubles).toEqual([]);
      await close();
    },
    60_000,
  );

  testInBrowser(
    'given an empty cache, when the overview is opened, then at most 60 kB come over the wire, from here alone, and work without scripts',
    async () => {
      const user = await host.makeUser();
      const { page, troubles, close } = await openPage(host.url, { javaScriptEnabled: false });
      await signIn(page, user);
      const cookies = await page.context().cookies();
      await close();

      const cold = await openPage(host.url);
      await cold.page.context().addCookies(cookies);
      const session = await cold.page.context().newCDPSession(cold.page);
      await session.send('Network.enable');
      let bytes = 0;
      session.on('Network.loadingFinished', ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      await cold.page.goto(`${host.url}/en/account`, { waitUntil: 'networkidle' });
      expect(bytes).toBeGreaterThan(5_000);
      expect(bytes).toBeLessThan(maxTransferBytes);
      expect([...troubles, ...cold.troubles]).toEqual([]);
      await cold.close();
    },
    60_000,
  );

  async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
    await page.goto(`${host.url}/en/account`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }
});

/** Presses Tab until what has this name has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  const nameOfFocus = `(() => {
    const { activeElement: it } = document;
    const text = it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent;
    return text.replaceAll(/\\s+/g, ' ').trim();
  })()`;
  const maxStops = 60;
  for (let stop = 0; stop < maxStops; stop += 1) {
    if ((await page.evaluate(nameOfFocus)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Nothing called "${name}" can be reached by the keyboard`);
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (screenshotFolder === undefined) return;
  await mkdir(screenshotFolder, { recursive: true });
  await page.screenshot({ path: join(screenshotFolder, `${name}.png`), fullPage: true });
}
