import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { findOnPath } from '#scripts/local-servers/binaries/binary.ts';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { CannotRunHereError, type ProofContext } from '../proof.ts';
import { type CommandOptions, runCommand } from '../run-command.ts';

/** A program in a pod that runs until its standard input ends. */
export type OpenProgram = {
  /** Ends its input. Returns what it has printed, or throws with what it has printed to standard error. */
  stop(): Promise<string>;
};

/** A cluster that exists, by the name of its context. */
export type Cluster = {
  kubectl(...words: string[]): Promise<string>;
  helm(...words: string[]): Promise<string>;
  /** Starts kubectl with an input that ends with `stop`. */
  open(...words: string[]): OpenProgram;
};

/** Returns the cluster. Throws CannotRunHereError when programs are missing or it does not answer. */
export async function connectCluster(
  context: string | undefined,
  { environment: env, signal }: Pick<ProofContext, 'environment' | 'signal'>,
): Promise<Cluster> {
  for (const name of ['kubectl', 'helm'])
    if (!(await findOnPath(name, env.PATH ?? ''))) throw new CannotRunHereError(`no ${name} on PATH`);
  if (context === undefined)
    throw new OperatorError('Name the cluster: --context NAME, of kubectl config get-contexts.');
  // What removes things must also run after the operator has stopped the command.
  const run = (words: string[], options: Partial<CommandOptions> = {}) => runCommand(words, { env, ...options });
  const inContext = ['kubectl', '--context', context];
  await run([...inContext, 'get', '--raw', '/readyz'], { withinMs: 30_000, signal }).catch((error: Error) => {
    throw new CannotRunHereError(`the cluster ${context} does not answer: ${error.message.split('\n').at(-1)}`);
  });
  return {
    kubectl: (...words) => run([...inContext, ...words]),
    helm: (...words) => run(['helm', '--kube-context', context, ...words]),
    open(...words) {
      const [command = '', ...args] = [...inContext, ...words];
      const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
      const printed = Promise.all([text(child.stdout), text(child.stderr)]);
      return {
        async stop() {
          child.stdin.end();
          const [output, problem] = await printed;
          if (output === '') throw new Error(`The customer printed nothing: ${problem}`);
          return output;
        },
      };
    },
  };
}
