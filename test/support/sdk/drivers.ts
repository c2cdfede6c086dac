import { openOnce, test } from '../jest.ts';
import { startPythonDriver, testWithPython } from './python.ts';
import * as typescript from './typescript-driver.ts';

/** A client of an SDK, by commands: the same for each, with JSON as their input and result. */
type SdkDriver = {
  /** Declares a test that needs this client. */
  testHere: (title: string, body: () => unknown) => void;
  run<T>(command: SdkCommand, given?: object, onLine?: (line: unknown) => void): Promise<T>;
  /** Ends the commands that run. */
  stop(): void;
};

type CommonCommand = keyof typeof typescript.commands;
/** `timeouts`: of the three limits that httpx has. `times`: of its `datetime`s. */
type SdkCommand = CommonCommand | 'timeouts' | 'times';

const typescriptDriver: SdkDriver = {
  testHere: test,
  run: async <T>(command: SdkCommand, given: object = {}, onLine: (line: unknown) => void = () => {}) =>
    // biome-ignore lint/suspicious/noExplicitAny: the commands check nothing, as those in Python
    (await typescript.commands[command as CommonCommand](given as any, onLine)) as T,
  stop: typescript.stop,
};

/** Returns the clients that the tests of a file run by: those of Python share one process. */
export function openDrivers(): [name: string, driver: SdkDriver][] {
  let python: ReturnType<typeof startPythonDriver> | undefined;
  const process = () => {
    python ??= startPythonDriver();
    return python;
  };
  openOnce(async () => ({ close: async () => await python?.close() }));
  const driverOf = (client: 'sync' | 'async'): SdkDriver => ({
    testHere: testWithPython,
    run: async <T>(command: SdkCommand, given: object = {}, onLine?: (line: unknown) => void) =>
      (await process().run(snakeCase(command), client, given, onLine)) as T,
    stop: () => python?.stop(),
  });
  return [
    ['TypeScript', typescriptDriver],
    ['Python', driverOf('sync')],
    ['asynchronous Python', driverOf('async')],
  ];
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
