import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { AppError } from '#common/errors.ts';
import { mountGet } from '../mount-routes.ts';
import { sendFile } from '../web/design/assets.ts';

/** Where the image has the packages of the clients. A clone has none. */
const builtFolder = join(import.meta.dirname, 'clients');

/** The packages by the names of their files. `fromClone` is for a clone in `bluejay`, beside the folder where it runs. */
const packages = [
  {
    title: 'TypeScript',
    files: /^bluejay-post-\d.*\.tgz$/,
    install: 'npm install',
    fromClone: 'npm pack ../bluejay/scripts/sdk/typescript && npm install ./bluejay-post-[0-9]*.tgz',
  },
  { title: 'Python', files: /\.whl$/, install: 'pip install', fromClone: 'pip install ../bluejay/scripts/sdk/python' },
  {
    title: 'Command line',
    files: /^bluejay-post-cli-.*\.tgz$/,
    install: 'npm install --global',
    fromClone: 'npm pack ../bluejay/scripts/sdk/cli && npm install --global ./bluejay-post-cli-*.tgz',
  },
] as const;

/** Creates the route of the packages. Without them it answers 404, with the line that installs from a clone. */
export function createClientsRouter(secure: RequestHandler, folder = builtFolder): Router {
  const router = Router({ caseSensitive: true, strict: true });
  mountGet(router, '/docs/clients/:name', secure, (request, response, next) => {
    const name = String(request.params.name);
    if (packagesIn(folder).includes(name)) return sendFile(name, folder)(request, response, next);
    const { fromClone } = packages.find(({ files }) => files.test(name)) ?? packages[0];
    const message = `There is no such package here. Beside a clone of Bluejay: ${fromClone}`;
    throw new AppError('NOT_FOUND', { message });
  });
  return router;
}

/** Returns the part of a guide that says how to install the clients: the served packages, or from a clone. */
export function describeInstallation(baseUrl: string, folder = builtFolder): string {
  const names = packagesIn(folder);
  const served = packages.map((each) => ({ ...each, name: names.find((name) => each.files.test(name)) }));
  const isBuilt = served.every(({ name }) => name !== undefined);
  const where = isBuilt
    ? 'This installation serves those of its own version. The lines check them by their SHA-256:'
    : 'This installation has not built any. In a folder beside a clone of Bluejay, after `npm start` or `npm ci` there:';
  const lines = served.flatMap(({ title, install, fromClone, name }) => {
    if (!isBuilt || name === undefined) return [`# ${title}`, fromClone];
    const [url, sha256] = [`${baseUrl}/docs/clients/${name}`, sha256Of(join(folder, name))];
    if (title === 'Python') return [`# ${title}`, `${install} "${url}#sha256=${sha256}"`];
    const steps = [`curl -fsSO ${url}`, `echo "${sha256}  ${name}" | sha256sum -c -`, `${install} ./${name}`];
    return [`# ${title}`, steps.join(' &&\n  ')];
  });
  return [where, '', '```sh', ...lines, '```'].join('\n');
}

function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function packagesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => /\.(?:tgz|whl)$/.test(name)) : [];
}
