import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { formatCents } from '#common/money.ts';
import { importTariffs, listTariffs, removeTariff } from '#common/pricing/manage-tariffs.ts';
import type { TariffRecord } from '#common/pricing/tariff.model.ts';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { argument, defineCommand } from '../command.ts';
import { idOf } from '../option.schema.ts';

/** Enough for 1,000 entries with 50 brackets each. */
const maxFileBytes = 20 * 1024 * 1024;

const importTariff = defineCommand({
  name: 'tariff import',
  summary: 'store the tariffs of a file; a file with errors stores none and lists them all',
  fields: { file: argument('JSON, as scripts/demo/tariffs.json shows', z.string().min(1, 'Name a file.')) },

  async run({ file }, { workingDir, actor, clock }) {
    const stored = await importTariffs(await readJson(resolve(workingDir, file)), { by: actor, at: clock.now() });
    return stored.map(toResult);
  },
  describe: (tariffs) => `Stored ${tariffs.length}:\n${describeTariffs(tariffs)}`,
});

const listTariff = defineCommand({
  name: 'tariff list',
  summary: 'list all tariffs, past and future ones included',
  fields: {},

  run: async () => (await listTariffs()).map(toResult),
  describe: (tariffs) =>
    tariffs.length === 0
      ? 'There are no tariffs. Store some: npm run admin -- tariff import <file>'
      : describeTariffs(tariffs),
});

const removeTariffCommand = defineCommand({
  name: 'tariff remove',
  summary: 'remove a tariff; letters priced by it keep their price',
  fields: { tariffId: argument('the id of the tariff', idOf('tar')) },

  async run({ tariffId }, { actor, clock }) {
    await removeTariff(tariffId, { by: actor, at: clock.now() });
    return { tariffId, removed: true };
  },
  describe: ({ tariffId }) => `Removed ${tariffId}.`,
});

async function readJson(path: string): Promise<unknown> {
  const size = await stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  );
  if (size === undefined) throw new OperatorError(`There is no file ${path}.`);
  if (size > maxFileBytes) throw new OperatorError(`${path} is larger than any tariff file: more than 20 MB.`);
  const text = await readFile(path, 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`${path} is not JSON: ${(error as Error).message}.`);
  }
}

function toResult({ _id: tariffId, zone, serviceType, validFrom, ...prices }: TariffRecord) {
  return { tariffId, zone, serviceType, validFrom: validFrom.toISOString(), ...prices };
}

function describeTariffs(tariffs: readonly ReturnType<typeof toResult>[]): string {
  return tariffs
    .map(({ tariffId, zone, serviceType, validFrom, postage }) => {
      const kind = `${zone.padEnd(13)} ${serviceType.padEnd(10)} from ${validFrom}`;
      const lightest = postage[0] ? `postage from ${formatCents(postage[0].cents)}` : '';
      return `${tariffId}  ${kind}  ${lightest}`.trimEnd();
    })
    .join('\n');
}

export const tariffCommands = [importTariff, listTariff, removeTariffCommand];
