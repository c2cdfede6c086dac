import { runProgram } from '#scripts/program/run-program.ts';
import { compareCommit } from './compare/compare-commit.ts';

/** A benchmark prints its own figures, each beside a floor measured in the same run. What it starts is in `held`. */
type Bench = { run(held: AsyncDisposableStack): Promise<void> };

/** Benchmarks by their name in `npm run bench -- <name>`. */
const benches: Record<string, () => Promise<Bench>> = {
  bulk: () => import('./bulk.bench.ts'),
  capacity: () => import('./capacity/capacity.bench.ts'),
  documents: () => import('./documents.bench.ts'),
  idle: () => import('./capacity/idle.bench.ts'),
  'object-store': () => import('./object-store/object-store.bench.ts'),
  oauth: () => import('./oauth/oauth.bench.ts'),
  reads: () => import('./reads/reads.bench.ts'),
  webhooks: () => import('./webhooks/webhooks.bench.ts'),
  production: () => import('./production/production.bench.ts'),
  paper: () => import('./paper.bench.ts'),
  render: () => import('./render.bench.ts'),
  sdk: () => import('./sdk/sdk.bench.ts'),
  statement: () => import('./wallet/statement.bench.ts'),
  templates: () => import('./templates/templates.bench.ts'),
  tracing: () => import('./tracing.bench.ts'),
  wallet: () => import('./wallet/wallet.bench.ts'),
  web: () => import('./web.bench.ts'),
};

const [first, commit, ...rest] = process.argv.slice(2);
const isComparison = first === 'compare' && commit !== undefined;
const names = isComparison ? rest : process.argv.slice(2);
const unknown = names.filter((name) => !(name in benches));
if (names.length === 0 || unknown.length > 0) {
  const problem = unknown.length > 0 ? `There is no benchmark ${unknown.join(', ')}.` : 'Name a benchmark.';
  process.stderr.write(`${problem} Usage: npm run bench -- [compare COMMIT] ${Object.keys(benches).join(' | ')}\n`);
  process.exit(1);
}
if (isComparison) await runProgram(async () => await compareCommit(commit, names).then(() => 0));
for (const name of names) {
  const held = new AsyncDisposableStack();
  const bench = await benches[name]?.();
  await bench?.run(held).finally(() => held.disposeAsync());
}
