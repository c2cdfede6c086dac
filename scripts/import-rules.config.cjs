// Import rules for dependency-cruiser: which folders may import which, and which files may use which package.
// Type imports count as imports.

/**
 * Tiers of `common`, of some of its folders, and of `api/web`. A folder imports from itself and from earlier tiers, never from another
 * folder of its own tier. `.` stands for the files directly in the folder. The sandbox is in three tiers: letters ask it for
 * their time and their steps, and it moves them.
 */
const tiersInside = {
  common: [
    ['.'],
    ['config'],
    ['fields'],
    ['platform'],
    ['audit'],
    ['organizations'],
    ['notices'],
    ['sessions', 'access', 'pricing', 'wallet', 'addresses', 'uploads', 'documents', 'events', 'sandbox/clocks'],
    ['webhooks'],
    ['mail-jobs/model'],
    ['mail-jobs/rules'],
    ['sandbox/steps'],
    ['mail-jobs', 'oauth'],
    ['production', 'templates'],
    ['sandbox/advance'],
    ['drafts', 'bulk'],
    // Views over everything: for operators, and figures for customers. Tools for agents.
    ['operations', 'reports', 'mcp'],
    // All collections and migrations. Imports every model; only entry points import it.
    ['schema'],
  ],
  'common/platform': [
    ['spans'],
    ['concurrency', 'drop-folder'],
    ['process'],
    ['tracing'],
    ['mongo', 'redis'],
    ['due-work', 'idempotency', 'rate-limit', 's3'],
  ],
  'common/wallet': [['ledger'], ['.'], ['statements']],
  'common/documents': [
    ['.'],
    ['sheet', 'isolation', 'pdfium'],
    ['warm'],
    ['pdf', 'preview'],
    ['images', 'preflight', 'addressing', 'typesetting'],
    ['warm-program', 'papers'],
    ['print-file'],
  ],
  'common/webhooks': [['egress'], ['registry'], ['endpoints'], ['deliveries'], ['fan-out'], ['sending'], ['console']],
  'common/mail-jobs': [
    // Shapes: records, schemas, closed lists. What they mean is in `rules`, and how callers see them in `views`.
    ['model'],
    ['rules'],
    ['views'],
    ['events'],
    ['create'],
    ['items'],
    ['lifecycle'],
    ['render'],
    ['proof', 'preflight'],
    ['read'],
  ],
  'common/production': [
    ['.'],
    ['batches'],
    ['providers', 'tracking'],
    ['submission', 'retention', 'returns'],
    ['operator'],
  ],
  'common/oauth': [['.'], ['tokens'], ['clients'], ['authorization']],
  // Shared texts, what a page knows of its visitor, components, and the framework know no area. Areas bring their texts.
  'api/web': [
    ['texts'],
    ['visit'],
    ['design'],
    ['framework'],
    ['mails'],
    ['home', 'sign-in', 'account/(addresses|api-keys|applications|letters|profile|templates|wallet|webhooks)'],
    ['consent', 'admin', 'account/letter', 'account/reports'],
    ['account/(bulk|overview|send)'],
    ['.'],
  ],
};

/** Packages (a pattern) and the only files of the product that may import them. */
const packageScopes = {
  'express|express-rate-limit|helmet|pino-http': '^api/|^scripts/bench/reads/bare-mail-server\\.ts$',
  'bullmq|@bull-board/[^/]+': '^common/platform/redis/queues|^workers/|^api/web/admin/bull-board',
  ioredis: '^common/platform/redis/',
  '@aws-sdk/[^/]+|@smithy/[^/]+': '^common/platform/s3/|^scripts/local-servers/object-store/',
  nodemailer: '^common/platform/process/mailer',
  undici: '^common/webhooks/egress/|^scripts/',
  mongoose: '\\.model\\.ts$|^common/platform/|^scripts/local-servers/become-primary\\.ts$|^scripts/bench/',
  'esbuild|sharp|@cantoo/pdf-lib|@hyzyla/pdfium|heic-decode|libheif-js':
    '^common/documents/|^scripts/(bench|demo)/|^scripts/sdk/cli/build-package\\.mjs$',
  'fontkit|localized-address-format': '^common/documents/addressing/|^scripts/demo/',
  '@expo-google-fonts/[^/]+': '^common/documents/(addressing|typesetting)/|^scripts/demo/',
  '@myriaddreamin/[^/]+': '^common/documents/typesetting/',
  'chardet|csv-parse|iconv-lite|numfmt|postcode-validator|saxes': '^common/bulk/|^scripts/bench/',
  yauzl: '^common/bulk/|^scripts/local-servers/',
  '@fastify/busboy': '^api/web/',
  commander: '^scripts/',
  '@opentelemetry/[^/]+': '^common/platform/tracing/',
  '@grafana/[^/]+': '^scripts/deploy/monitoring/dashboards/',
  '@modelcontextprotocol/[^/]+': '^common/mcp/|^api/mcp/|^scripts/mcp/',
};

const tierRules = Object.entries(tiersInside).flatMap(([folder, inside]) =>
  inside.flatMap((tier, index) =>
    tier.map((part) => {
      const allowed = [part, ...inside.slice(0, index).flat()];
      return {
        name: `${folder}/${part}-imports-from-lower-tiers-only`,
        severity: 'error',
        from: { path: `^${folder}/${filesOf(part)}` },
        to: { path: `^${folder}/`, pathNot: `^${folder}/(${allowed.map(filesOf).join('|')})` },
      };
    }),
  ),
);

/** Returns a pattern of the files of a tier's folder, relative to its parent. */
function filesOf(part) {
  return part === '.' ? '[^/]+$' : `${part}/`;
}

const outsideTiers = Object.entries(tiersInside).map(
  ([folder, inside]) => `^${folder}/(?!${inside.flat().map(filesOf).join('|')})`,
);

const packageRules = Object.entries(packageScopes).map(([packages, scope]) => ({
  name: `${packages.split('|')[0].replaceAll(/[^a-z-]/g, '')}-stays-in-its-scope`,
  severity: 'error',
  from: { path: '^(api|workers|common|scripts)/', pathNot: scope },
  to: { path: `^(node_modules/)?(${packages})(/|$)` },
}));

const topLevelRules = [
  ['api', 'workers|scripts|test'],
  ['workers', 'api|scripts|test'],
  ['common', 'api|workers|scripts|test'],
  ['scripts', 'api|workers|test'],
].map(([from, to]) => ({
  name: `${from}-imports-allowed-top-folders-only`,
  severity: 'error',
  from: { path: `^${from}/` },
  to: { path: `^(${to})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...topLevelRules,
    ...tierRules,
    {
      name: 'each-folder-has-a-tier',
      severity: 'error',
      from: {},
      to: { path: outsideTiers.join('|') },
    },
    {
      name: 'only-the-wallet-knows-its-ledger',
      severity: 'error',
      from: {
        path: '^(api|workers|common|scripts)/',
        // The floors of benchmarks write to separate databases.
        pathNot: '^common/(wallet/|schema/migrations\\.ts$)|^scripts/bench/',
      },
      to: { path: '^common/wallet/ledger/(ledger-entry|wallet)\\.model\\.ts$' },
    },
    {
      name: 'the-sandbox-is-entered-by-its-hooks',
      severity: 'error',
      from: {
        path: '^(api|workers|common|scripts)/',
        pathNot:
          '^common/(sandbox|schema|operations)/|^api/routes/(sandbox/|lifecycle/simulate-mail)|^workers/(lifecycle|sandbox-clock)\\.worker\\.ts$',
      },
      to: { path: '^common/sandbox/', pathNot: '^common/sandbox/(steps/|clocks/letter-[^/]+$)' },
    },
    ...packageRules,
    {
      name: 'the-sdk-stands-alone',
      severity: 'error',
      from: { path: '^scripts/sdk/typescript/src/' },
      to: { pathNot: '^scripts/sdk/typescript/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'the-command-line-uses-only-the-client-and-commander',
      severity: 'error',
      from: { path: '^scripts/sdk/cli/', pathNot: '/build-package\\.mjs$' },
      to: {
        pathNot: '^scripts/sdk/(cli/|typescript/src/index\\.ts$)|^(node_modules/)?commander(/|$)',
        dependencyTypesNot: ['core'],
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    // The example programs and the smoke test import the package, which is compiled only when it is packed.
    {
      name: 'everything-imported-exists',
      severity: 'error',
      from: { pathNot: ['^scripts/examples/typescript/', '^test/sdk/.*\\.program\\.mjs$'] },
      // numfmt 4.0.1 names a file for `require` that it lacks. Node takes the other one.
      to: { couldNotResolve: true, pathNot: '^numfmt$' },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API. The swc parser also reports type imports.
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
