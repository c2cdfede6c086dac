/** The part of package-lock.json that this reads. */
export type LockFile = {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>;
};

export type RefusedPackage = { path: string; license: string };

/** SPDX identifiers that every package may have: they ask for no more than their text in a copy of the software. */
const permissive = [
  ...['MIT', 'MIT-0', 'Apache-2.0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0'],
  ...['Unlicense', 'OFL-1.1'],
];
/** Those that tools for developers may have, too: nothing of them is in an installation. */
const ofTools = ['PSF-2.0', 'Python-2.0', 'MPL-2.0', 'CC-BY-3.0', 'CC-BY-4.0'];

/** Packages with another licence, by the start of their name, and why they may be used. */
const exceptions: { name: string; license: string; reason: string }[] = [
  {
    name: '@img/sharp-',
    license: 'LGPL-3.0-or-later',
    reason: 'libvips, a shared library in a package of its own: sharp loads it, and anyone can replace it.',
  },
  {
    name: 'libheif-js',
    license: 'LGPL-3.0',
    reason: 'libheif as WebAssembly, in a file of its own that is loaded unchanged: anyone can replace it.',
  },
];

/** Returns the packages of a lock file whose licence is not allowed, and those that declare none. */
export function findRefusedLicences({ packages }: LockFile): RefusedPackage[] {
  return Object.entries(packages).flatMap(([path, { license, dev = false, link = false }]) => {
    // The project itself, its workspaces and links to them.
    if (link || !path.includes('node_modules/')) return [];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const own = exceptions.filter((each) => name.startsWith(each.name)).map((each) => each.license);
    const allowed = [...permissive, ...own, ...(dev ? ofTools : [])];
    return license !== undefined && isAllowed(license, allowed) ? [] : [{ path, license: license ?? 'none' }];
  });
}

/** Evaluates an SPDX expression: one side of `OR`, and both sides of `AND`, which binds more tightly. */
function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const inner = /\(([^()]*)\)/.exec(expression);
  if (inner) {
    const [group, content = ''] = inner;
    const value = isAllowed(content, allowed) ? (allowed[0] ?? '') : 'refused';
    return isAllowed(expression.replace(group, value), allowed);
  }
  const sides = expression.split(/\s+OR\s+/i);
  return sides.some((side) => side.split(/\s+AND\s+/i).every((id) => allowed.includes(id.trim())));
}
