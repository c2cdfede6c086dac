import type { Checklist } from './checklist.ts';

/** What a proof gets from the command that runs it. */
export type ProofContext = {
  checklist: Checklist;
  /** Whether to run the slow checks too. */
  isThorough: boolean;
  /** Prints one line of progress. */
  report: (line: string) => void;
  /** Of `chooseEnvironment`. */
  environment: Record<string, string | undefined>;
  /** Aborted when the operator stops the command. What ends or removes things does not heed it. */
  signal: AbortSignal;
  cluster: ClusterOptions;
};

/** The cluster of the proof of Kubernetes, as the operator names it. */
export type ClusterOptions = {
  /** Of kubectl. */
  context?: string;
  /** The image of the product, which the cluster has or can pull. */
  image?: string;
  /** Images of MongoDB, Redis and the object store, instead of those of docker-compose.yml. */
  storeImages?: string[];
};

/** A proof that an installation works, run by `npm run prove -- <name>`. */
export type Proof = {
  name: string;
  /** One line for `--help`. */
  summary: string;
  /**
   * Runs the checks, and ends everything that it has started, also after a failure. Returns facts about the run for its
   * record, such as which images it used. Throws CannotRunHereError when this machine lacks what it needs.
   */
  run(context: ProofContext): Promise<string[]>;
};

/** This machine lacks what the proof needs. The message names it. */
export class CannotRunHereError extends Error {
  override readonly name = 'CannotRunHereError';
}
