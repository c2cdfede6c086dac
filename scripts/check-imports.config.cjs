// The arrows of the house, for dependency-cruiser: who may import whom, and which third party has which room.
// Imports of types count like all others.

/** A folder of `common` imports from tiers above it in this list and from itself, never from a neighbour in its tier. */
const tiers = [
  ['platform'],
  ['organizations'],
  ['sessions', 'access', 'pricing', 'wallet', 'addresses', 'uploads', 'documents', 'webhooks'],
  ['mail-jobs', 'oauth'],
  ['production'],
  // The list of all collections and their history: it knows every model, and only entry points know it.
  ['schema'],
];

/** Each third party that shapes its surroundings, and the only files of the product that know it. */
const rooms = {
  'express|express-rate-limit|helmet|pino-http': '^api/|^scripts/bench/bare-',
  'bullmq|@bull-board/[^/]+': '^common/platform/queues|^workers/|^api/bull-board',
  ioredis: '^common/platform/(redis|queues)',
  '@aws-sdk/[^/]+|@smithy/[^/]+': '^common/platform/s3',
  nodemailer: '^common/platform/mailer',
  undici: '^common/webhooks/post-signed|^scripts/',
  mongoose: '\\.model\\.ts$|^common/platform/|^scripts/local-servers/become-primary\\.ts$|^scripts/bench/',
  'sharp|@cantoo/pdf-lib|@pdf-lib/fontkit|@hyzyla/pdfium|heic-decode|libheif-js':
    '^common/documents/|^scripts/(bench|demo)/',
  'commander|mongodb-memory-server-core': '^scripts/',
};

const allFolders = tiers.flat();

const tierRules = tiers.flatMap((tier, index) =>
  tier.map((folder) => {
    const allowed = [folder, ...tiers.slice(0, index).flat()];
    return {
      name: `common/${folder}-imports-from-lower-tiers-only`,
      severity: 'error',
      from: { path: `^common/${folder}/` },
      to: { path: '^common/[^/]+/', pathNot: `^common/(${allowed.join('|')})/` },
    };
  }),
);

const roomRules = Object.entries(rooms).map(([packages, room]) => ({
  name: `${packages.split('|')[0].replaceAll(/[^a-z-]/g, '')}-stays-in-its-room`,
  severity: 'error',
  from: { path: '^(api|workers|common|scripts)/', pathNot: room },
  to: { path: `^(node_modules/)?(${packages})(/|$)` },
}));

const arrowRules = [
  ['api', 'workers|scripts|test'],
  ['workers', 'api|scripts|test'],
  ['common', 'api|workers|scripts|test'],
  ['scripts', 'api|workers|test'],
].map(([from, to]) => ({
  name: `${from}-keeps-to-its-arrows`,
  severity: 'error',
  from: { path: `^${from}/` },
  to: { path: `^(${to})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...arrowRules,
    ...tierRules,
    {
      name: 'the-plain-files-of-common-import-no-folder',
      severity: 'error',
      from: { path: '^common/[^/]+\\.ts$' },
      to: { path: '^common/[^/]+/' },
    },
    {
      name: 'each-folder-of-common-has-a-tier',
      severity: 'error',
      from: {},
      to: { path: '^common/[^/]+/', pathNot: `^common/(${allFolders.join('|')})/` },
    },
    {
      name: 'only-the-wallet-knows-its-ledger',
      severity: 'error',
      from: {
        path: '^(api|workers|common|scripts)/',
        // A benchmark's floor writes to a database of its own.
        pathNot: '^common/(wallet/|schema/migrations\\.ts$)|^scripts/bench/',
      },
      to: { path: '^common/wallet/(ledger-entry|wallet)\\.model\\.ts$' },
    },
    ...roomRules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'everything-imported-exists', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    // TypeScript 7 brings no compiler for programs to call; this parser sees the imports of types as well.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)fixtures/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types', 'require'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
