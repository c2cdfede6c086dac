// Level: ci
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from '../support/jest.ts';
import { aLetter, createClient } from '../support/product/customer.ts';
import { findBarriers, signInAt, tabTo, testInBrowser, useBrowser } from '../support/web/open-browser.ts';
import { startWebHost, type WebUser } from '../support/web/web-host.ts';

/** Transfer limit of the first page with an empty cache. */
const maxTransferBytes = 60_000;
const screenshotFolder = process.env.SCREENSHOTS;

describe('the account area in a browser', () => {
  const { world, host } = startWebHost();
  const openPage = useBrowser();

  testInBrowser('sign-in, key creation, a first letter and revocation work with the keyboard alone', async () => {
    const { email, password } = await host.makeUser();
    const { page, troubles, close } = await openPage(host.url, { reducedMotion: 'reduce' });
    await page.goto(`${host.url}/account/api-keys`);
    await tabTo(page, 'Email address');
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
    await tabTo(page, 'Create key');
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
  });

  testInBrowser('the statement of this month can be downloaded with the keyboard alone and adds up', async () => {
    const user = await host.makeUser();
    const customer = await world.customer({ organizationId: user.organizationId });
    expect((await customer.send()).status).toBe(201);
    const { page, troubles, close } = await openPage(host.url, { reducedMotion: 'reduce' });
    await signIn(page, user);
    await page.goto(`${host.url}/en/account/wallet/statements?mode=test`);
    const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'Europe/Brussels' });
    await tabTo(page, `Download the statement for ${month.format(new Date())} as JSON`);
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
  });

  testInBrowser('a refused form shows one accessible alert and keeps the input, in light and dark', async () => {
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
  });

  testInBrowser('on a narrow screen the menu opens, navigates and closes with Escape', async () => {
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
  });

  testInBrowser('with an empty cache the overview transfers at most 60 kB, all from this host', async () => {
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
  });

  async function signIn(page: Page, user: WebUser): Promise<void> {
    await signInAt(page, `${host.url}/en/account`, user);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }
});

async function keepPicture(page: Page, name: string): Promise<void> {
  if (screenshotFolder === undefined) return;
  await mkdir(screenshotFolder, { recursive: true });
  await page.screenshot({ path: join(screenshotFolder, `${name}.png`), fullPage: true });
}
