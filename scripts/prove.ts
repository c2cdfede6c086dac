import { relative } from 'node:path';
import { Argument, Command } from 'commander';
import { describeCommit } from './program/describe-run.ts';
import { OperatorError } from './program/operator-error.ts';
import { runProgram } from './program/run-program.ts';
import { beginChecklist } from './prove/checklist.ts';
import { chooseEnvironment } from './prove/choose-environment.ts';
import { composeProof } from './prove/compose/prove-compose.ts';
import { kubernetesProof } from './prove/kubernetes/prove-kubernetes.ts';
import { CannotRunHereError, type ClusterOptions, type Proof } from './prove/proof.ts';
import { writeRecord } from './prove/write-record.ts';
import { waitForStop } from './supervisor/wait-for-stop.ts';

/** To add one, write a module that exports a Proof, and name it here. */
const proofs: Proof[] = [composeProof, kubernetesProof];

type ProveOptions = ClusterOptions & { record?: boolean; orSkip?: boolean };

/**
 * `npm run prove -- <name>` proves that an installation works on this machine. Prints one line per check. Returns 0, also
 * for a proof that this machine cannot run when `orSkip` allows it.
 */
async function prove(name: string, { record = false, orSkip = false, ...cluster }: ProveOptions): Promise<number> {
  const proof = proofs.find((candidate) => candidate.name === name);
  if (!proof) throw new OperatorError(`There is no proof ${name}.`);
  const report = (line: string) => void process.stdout.write(`${line}\n`);
  const stopping = new AbortController();
  void waitForStop('prove', () => {}).then(() => stopping.abort());
  const checklist = beginChecklist(report, stopping.signal);
  const startMs = performance.now();
  const commit = record ? describeCommit() : '';
  try {
    const environment = chooseEnvironment(process.env);
    const { signal } = stopping;
    const facts = await proof.run({ checklist, report, environment, isThorough: record, signal, cluster });
    const seconds = (performance.now() - startMs) / 1_000;
    for (const fact of facts) report(fact);
    const file = record && (await writeRecord({ name, checks: checklist.passed, facts, seconds, commit }));
    if (file) report(`Wrote ${relative(process.cwd(), file)}.`);
    report(`The proof ${name} passed: ${checklist.passed.length} checks in ${Math.round(seconds)} s.`);
    return 0;
  } catch (error) {
    if (stopping.signal.aborted) return 130;
    if (!(error instanceof CannotRunHereError)) throw error;
    if (!orSkip) throw new OperatorError(`The proof ${name} cannot run on this machine: ${error.message}`);
    report(`Skipped the proof ${name}: ${error.message}`);
    return 0;
  }
}

const command = new Command('npm run prove --')
  .description('Installs Bluejay as operators do, and checks that it works. Removes everything afterwards.')
  .addArgument(new Argument('<name>', 'the installation to prove').choices(proofs.map(({ name }) => name)))
  .option('--record', 'run the slow checks too, and write the result to scripts/deploy/results')
  .option('--context <name>', 'kubernetes: the cluster, by its context of kubectl')
  .option('--image <name>', 'kubernetes: the image of the product, which the cluster has or can pull')
  .option('--store-images <names...>', 'kubernetes: MongoDB, Redis and the object store, not as in docker-compose.yml')
  .option('--or-skip', 'succeed where this machine lacks what the proof needs, and say what')
  .addHelpText('after', `\n${proofs.map(({ name, summary }) => `${name}: ${summary}`).join('\n')}`)
  .allowExcessArguments(false)
  .parse();
await runProgram(() => prove(command.args[0] ?? '', command.opts<ProveOptions>()));
