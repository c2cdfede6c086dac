import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { guardMs } from '../jest.ts';

/** Returns the command of a Node.js with this major version: the first one in the folders of PATH. */
export function findNode(major: number): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((command) => isExecutable(command) && majorOf(command) === major);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns NaN for a file that is not Node.js. */
function majorOf(command: string): number {
  try {
    const options = { encoding: 'utf8', timeout: guardMs } as const;
    return Number(execFileSync(command, ['-p', 'process.versions.node.split(".")[0]'], options));
  } catch {
    return Number.NaN;
  }
}
