import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { inParallel } from '#scripts/program/in-parallel.ts';
import { installPythonPackages } from '#scripts/program/install-python-packages.ts';
import { runProgram } from '#scripts/program/run-program.ts';
import { checkCustomResource, isCustom, type Manifest } from './custom-resources.ts';
import { exampleFile, examples, lintByHelm, renderChart } from './render-chart.ts';

const run = promisify(execFile);

/** The oldest version that the chart supports, and the newest that its schemas are known of. */
const kubernetesVersions = ['1.30', '1.37'];

/**
 * Renders the Helm chart with each values file in `examples` and checks the manifests: against the schemas of Kubernetes
 * and of the custom resources, and by checkov, whose checks include those of the CIS benchmark for workloads. Returns 1
 * when it finds anything but the exceptions in exceptions.yaml. Needs helm on PATH, and downloads the others from PyPI.
 */
async function lintChart(): Promise<number> {
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  const bin = await installPythonPackages({
    name: 'manifest-linters',
    what: 'The check of the manifests',
    requirementsFile: join(import.meta.dirname, 'requirements.txt'),
    leastMinor: 11,
    proof: 'checkov',
    environment: process.env,
    report,
  });
  const folder = await mkdtemp(join(tmpdir(), 'bluejay-manifests-'));
  try {
    const checked = await inParallel(examples, (example) => checkExample(example, folder, bin), examples.length);
    const problems = [...checked.flat(), ...(await checkByCheckov(folder, bin))];
    for (const problem of problems) report(problem);
    return problems.length === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the manifests to `<folder>/<example>.yaml` and returns their problems. */
async function checkExample(example: string, folder: string, bin: string): Promise<string[]> {
  await lintByHelm(exampleFile(example));
  const text = await renderChart(exampleFile(example));
  const manifests = parseAllDocuments(text).map((document): Manifest => document.toJS());
  await writeFile(join(folder, `${example}.yaml`), text);
  // The validator of Kubernetes accepts kinds that it does not know.
  const known = manifests.filter((manifest) => !isCustom(manifest));
  const file = join(folder, `${example}.txt`);
  await writeFile(file, known.map((manifest) => stringify(manifest)).join('---\n'));
  const validated = await inParallel(
    kubernetesVersions,
    (version) => findProblems(join(bin, 'kubernetes-validate'), ['-k', version, '--strict', '--quiet', file]),
    kubernetesVersions.length,
  );
  const problems = [...manifests.filter(isCustom).flatMap(checkCustomResource), ...validated.flat()];
  return problems.map((problem) => `${example}: ${problem}`);
}

/** Runs a linter, and returns the lines that it prints when it fails. */
async function findProblems(program: string, words: string[]): Promise<string[]> {
  try {
    await run(program, words);
    return [];
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    return (`${stdout}${stderr}`.trim() || message).split('\n');
  }
}

type Exception = { check: string; example: string; reason: string };
type Finding = { check_id: string; check_name: string; file_path: string; resource: string };

async function checkByCheckov(folder: string, bin: string): Promise<string[]> {
  const file = join(import.meta.dirname, 'exceptions.yaml');
  const exceptions = parse(readFileSync(file, 'utf8')) as Exception[];
  const flags = [
    '--framework',
    'kubernetes',
    '--skip-download',
    '--soft-fail',
    '--output',
    'json',
    '--directory',
    folder,
  ];
  const { stdout } = await run(join(bin, 'checkov'), flags, { maxBuffer: 64 * 1024 * 1024 });
  const { results, summary } = JSON.parse(stdout) as {
    results: { failed_checks: Finding[]; parsing_errors: string[] };
    summary: { passed: number };
  };
  if (summary.passed === 0) return ['checkov has checked nothing'];
  const isAccepted = ({ check, example }: Exception, { check_id: id, file_path: path }: Finding) =>
    check === id && path.endsWith(`${example}.yaml`);
  const found = results.failed_checks;
  const refused = found.filter((finding) => !exceptions.some((exception) => isAccepted(exception, finding)));
  const unused = exceptions.filter((exception) => !found.some((finding) => isAccepted(exception, finding)));
  return [
    ...results.parsing_errors.map((path) => `checkov cannot read ${path}`),
    ...refused.map((each) => `${each.file_path}: ${each.resource}: ${each.check_id} ${each.check_name}`),
    ...unused.map(({ check, example }) => `exceptions.yaml: ${check} of ${example} is not found any more`),
  ];
}

await runProgram(lintChart);
