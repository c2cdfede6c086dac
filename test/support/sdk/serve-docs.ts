import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createDocsRouter } from '#api/docs/docs-router.ts';
import { createErrorHandler } from '#api/middleware/error-handler.ts';
import { createRequestContext } from '#api/middleware/request-context.ts';
import { routes } from '#api/routes/index.ts';
import { systemClock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import { createLog } from '#common/platform/process/log.ts';
import { blocksOf, sectionOf } from '../project/markdown.ts';

/** Serves the documentation with the packages of the clients in this folder. */
export async function serveDocs({ rateLimits, webhooks, ...config }: Config, clientsFolder: string) {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { ...config, rateLimits, maxActiveWebhooks: webhooks.maxActive };
  app.use(createRequestContext({ log: createLog('test', 'silent'), metrics: { observe() {} } }));
  app.use(createDocsRouter({ routes, baseUrl: url, authUrl: url, settings, clientsFolder, clock: systemClock }));
  app.use(createErrorHandler(url));
  return {
    url,
    /** Returns what the guide prints to install the clients. */
    async readLines(): Promise<{ npm: string; pip: string; cli: string }> {
      const guide = await (await fetch(`${url}/docs/guides/sending.md`)).text();
      const [block] = blocksOf(sectionOf(guide, 'Installing the clients'));
      const [, npm = '', pip = '', cli = ''] = block?.text.split(/^# .*\n/m) ?? [];
      return { npm, pip, cli };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
