import { findPortProblem } from '../local-servers/ports.ts';
import { OperatorError } from '../operator-error.ts';

/** A port that the service will listen on. */
export type WantedPort = {
  port: number;
  /** The variable that sets it. */
  variable: string;
  /** What listens there, for people. */
  purpose: string;
};

/** Throws an OperatorError that names the variable when a port cannot be listened on. Port 0 means any free port. */
export async function checkPorts(wanted: WantedPort[]): Promise<void> {
  for (const { port, variable, purpose } of wanted) {
    if (port === 0) continue;
    const problem = (await findPortProblem({ port })) ?? (await findPortProblem({ port, host: '127.0.0.1' }));
    if (problem === undefined) continue;
    const reason = problem === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${problem})`;
    throw new OperatorError(
      `Port ${port} (${purpose}) ${reason}. Stop what uses it, or choose another: ${variable}=${suggest(port)} npm start`,
    );
  }
}

function suggest(port: number): number {
  return port + 1000 <= 60_000 && port >= 1024 ? port + 1000 : 4000;
}
