// Level: ci
import { execFileSync } from 'node:child_process';
import { findRefusedLicences, type LockFile } from '#scripts/supply-chain/licences.ts';
import { describe, expect, test } from '../support/jest.ts';
import { readText, root, sectionOf, shellLinesOf } from '../support/project/markdown.ts';

const lock: LockFile = JSON.parse(readText('package-lock.json'));

const lockOf = (name: string, license: string | undefined, dev = false): LockFile => ({
  packages: { [`node_modules/a/node_modules/${name}`]: { version: '1.0.0', ...(license && { license }), dev } },
});

describe('the licences of the packages', () => {
  test('each package has one that is allowed', () => {
    expect(Object.keys(lock.packages).length).toBeGreaterThan(500);
    expect(findRefusedLicences(lock)).toEqual([]);
  });

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND OFL-1.1', true],
    ['GPL-3.0-only OR MIT AND ISC', true],
    ['MIT AND GPL-3.0-only', false],
    ['(MIT OR ISC) AND AGPL-3.0-only', false],
    ['AGPL-3.0-or-later', false],
    ['SSPL-1.0', false],
    ['LGPL-3.0-or-later', false],
    ['MPL-2.0', false],
    ['SEE LICENSE IN LICENSE', false],
    [undefined, false],
  ])('%s in an installation is allowed: %s', (license, isAllowed) => {
    expect(findRefusedLicences(lockOf('new', license)).length === 0).toBe(isAllowed);
  });

  test('LGPL is allowed for libvips and libheif, and MPL for tools of developers', () => {
    const refused = [
      lockOf('@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later'),
      lockOf('libheif-js', 'LGPL-3.0'),
      lockOf('axe-core', 'MPL-2.0', true),
    ].flatMap(findRefusedLicences);
    expect(refused).toEqual([]);
  });
});

const developmentMark = 'cdx:npm:package:development';

describe('the software bill of materials', () => {
  test('its command lists every package of an installation with its version, licence and hash', () => {
    const guide = sectionOf(readText('scripts/deploy/supply-chain.md'), 'Software bill of materials');
    const [command = ''] = shellLinesOf(guide);
    const [, toFile = ''] = /^(.*) > \S+$/.exec(command) ?? [];
    const text = execFileSync('sh', ['-c', toFile], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    type Property = { name: string; value: string };
    type Component = {
      name: string;
      version: string;
      licenses?: object[];
      hashes?: object[];
      properties: Property[];
      'bom-ref': string;
    };
    const { bomFormat, components } = JSON.parse(text) as { bomFormat: string; components: Component[] };
    expect(bomFormat).toBe('CycloneDX');
    const isOfTools = ({ properties }: Component) => properties.some(({ name }) => name === developmentMark);
    const ofInstallation = components.filter((component) => !isOfTools(component) && component.licenses);
    const listed = new Set(ofInstallation.map(({ name, version }) => `${name}@${version}`));
    const installed = Object.entries(lock.packages).flatMap(([path, { version, dev, link }]) =>
      path.includes('node_modules/') && !dev && !link ? `${path.replace(/^.*node_modules\//, '')}@${version}` : [],
    );
    expect(installed.length).toBeGreaterThan(200);
    expect(installed.filter((each) => !listed.has(each))).toEqual([]);
    // Our own packages come with the checkout.
    const unhashed = ofInstallation.filter(({ hashes }) => !hashes).map((component) => component['bom-ref']);
    expect(unhashed).toEqual([expect.stringMatching(/^bluejay-post-cli@/), expect.stringMatching(/^bluejay-post@/)]);
  });
});
