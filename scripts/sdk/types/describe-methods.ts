import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const sdk = join(import.meta.dirname, '..');
/** Where each client has its classes, and the file that says by which name it has them. */
const clients = [
  { folder: 'typescript', sources: ['src/resources', 'src/oauth'], client: 'src/bluejay.ts' },
  { folder: 'python', sources: ['src/bluejay_post/_async'], client: 'src/bluejay_post/_async/client.py' },
];
/** In both languages: a class, a method, or the operation of a request. */
const marks =
  /^(?:export )?class (?:Async)?(?<type>\w+)|^(?: {2}(?:async )?\*?| {4}(?:async )?def )(?<method>\w+)[<(]|(?:id: '|Call\(")(?<id>\w+)|['"](?<path>\/oauth\/\w+)['"]/gm;

type Operations = Record<string, Record<string, { operationId?: string }>>;

/** Returns the READMEs of the clients by their paths, with a table of all operations and the methods that request them. */
export async function describeMethods(document: { [name: string]: unknown }): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const { folder, sources, client } of clients) {
    const methods = await findMethods(join(sdk, folder), sources, client);
    const rows = Object.entries(document.paths as Operations).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId = '' }]) => {
        const names = methods.get(operationId) ?? methods.get(path);
        if (names === undefined) throw new Error(`The ${folder} client has no method for ${operationId}.`);
        return `| ${[...names].map((name) => `\`${name}\``).join(', ')} | \`${method.toUpperCase()} ${path}\` |\n`;
      }),
    );
    const readme = join(sdk, folder, 'README.md');
    const table = `| Method | Operation |\n|---|---|\n${rows.join('')}`;
    files[readme] = (await readFile(readme, 'utf8')).replace(
      /(?<=^## Methods\n\n(?:[^|\n].*\n)*\n)(?:\|.*\n)*/m,
      table,
    );
  }
  return files;
}

/** Returns the methods of a client, such as `mails.create`, by their operation or the path of their request. */
async function findMethods(folder: string, sources: string[], client: string): Promise<Map<string, Set<string>>> {
  const created = (await readFile(join(folder, client), 'utf8')).matchAll(
    /(?:this|self)\.(\w+) = (?:new )?(?:Async)?(\w+)\(transport\)/g,
  );
  const names = new Map(Array.from(created, ([, name = '', type = '']) => [type, name])).set('Bluejay', 'bluejay');
  const paths = await Promise.all(
    sources.map(async (source) => (await readdir(join(folder, source))).map((file) => join(source, file))),
  );
  const methods = new Map<string, Set<string>>();
  for (const path of [client, ...paths.flat()]) {
    let [type, method] = ['', ''];
    for (const { groups = {} } of (await readFile(join(folder, path), 'utf8')).matchAll(marks)) {
      type = groups.type ?? type;
      method = groups.method ?? method;
      const operation = groups.id ?? groups.path;
      if (operation === undefined || type === '') continue;
      methods.set(operation, (methods.get(operation) ?? new Set()).add(`${names.get(type) ?? type}.${method}`));
    }
  }
  return methods;
}
