import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { AppError } from '#common/errors.ts';
import { mountGet } from '../mount-routes.ts';
import { sendFile } from '../web/design/assets.ts';

/** Where the image has the packages of the clients. A clone has none. */
const builtFolder = join(import.meta.dirname, 'clients');

/** Lines for a clone in the folder `bluejay`, beside the folder in which they run. */
const fromClone = {
  npm: 'npm pack ../bluejay/scripts/sdk/typescript && npm install ./bluejay-post-*.tgz',
  pip: 'pip install ../bluejay/scripts/sdk/python',
};

/** Creates the route of the packages. Without them it answers 404, with the line that installs from a clone. */
export function createClientsRouter(secure: RequestHandler, folder = builtFolder): Router {
  const router = Router({ caseSensitive: true, strict: true });
  mountGet(router, '/docs/clients/:name', secure, (request, response, next) => {
    const name = String(request.params.name);
    if (packagesIn(folder).includes(name)) return sendFile(name, folder)(request, response, next);
    const line = name.endsWith('.whl') ? fromClone.pip : fromClone.npm;
    const message = `There is no such package here. Beside a clone of Bluejay: ${line}`;
    throw new AppError('NOT_FOUND', { message });
  });
  return router;
}

/** Returns the part of a guide that says how to install the clients: the served packages, or from a clone. */
export function describeInstallation(baseUrl: string, folder = builtFolder): string {
  const [npm, pip] = ['.tgz', '.whl'].map((ending) => packagesIn(folder).find((name) => name.endsWith(ending)));
  const isBuilt = npm !== undefined && pip !== undefined;
  const where = isBuilt
    ? 'This installation serves those of its own version. The lines check them by their SHA-256:'
    : 'This installation has not built any. In a folder beside a clone of Bluejay, after `npm start` or `npm ci` there:';
  const urlOf = (name: string) => `${baseUrl}/docs/clients/${name}`;
  const sha256Of = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  const npmLine = isBuilt
    ? [`curl -fsSO ${urlOf(npm)}`, `echo "${sha256Of(npm)}  ${npm}" | sha256sum -c -`, `npm install ./${npm}`]
    : [fromClone.npm];
  const pipLine = isBuilt ? `pip install "${urlOf(pip)}#sha256=${sha256Of(pip)}"` : fromClone.pip;
  return [where, '', '```sh', '# TypeScript', npmLine.join(' &&\n  '), '# Python', pipLine, '```'].join('\n');
}

function packagesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => /\.(?:tgz|whl)$/.test(name)) : [];
}
