/** A benchmark: prints its own figures, with a floor measured in the same run beside each. */
type Bench = { run(): Promise<void> };

/** Benchmarks by the name that `npm run bench -- <name>` takes. */
const benches: Record<string, () => Promise<Bench>> = {
  'object-store': () => import('./object-store.ts'),
  oauth: () => import('./oauth.ts'),
  reads: () => import('./reads.ts'),
  webhooks: () => import('./webhooks.ts'),
  render: () => import('./render.ts'),
  statement: () => import('./statement.ts'),
  wallet: () => import('./wallet.ts'),
  web: () => import('./web.ts'),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in benches));
if (names.length === 0 || unknown.length > 0) {
  const problem = unknown.length > 0 ? `There is no benchmark ${unknown.join(', ')}.` : 'Which benchmark?';
  process.stderr.write(`${problem} Say one of: npm run bench -- ${Object.keys(benches).join(' | ')}\n`);
  process.exit(1);
}
for (const name of names) await (await benches[name]?.())?.run();
