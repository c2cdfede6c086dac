import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { Refusal } from '../program/failure.ts';
import { count, type Output, plain } from '../program/output.ts';
import { requestStore } from '../program/store-request.ts';
import type { Bluejay, Schemas } from '../sdk.ts';
import { letterFlags, type Service, type Zone } from './letter-flags.ts';

type Preflight = Schemas['Preflight'];

const checkEveryMs = 200;
const checkForMs = 60_000;

/** `preflight` checks a file before it is sent. */
export const preflightCommand: Command = {
  name: 'preflight',
  summary: 'Check whether a file can be printed, and how it will look.',
  args: ['FILE'],
  flags: {
    picture: {
      value: 'FILE',

      help: 'Write a PNG of page 1, with the window and the findings drawn over it.',
    },
    service: letterFlags.service,
    zone: letterFlags.zone,
    color: letterFlags.color,
    'one-side': letterFlags['one-side'],
  },
  examples: ['bluejay preflight letter.pdf', 'bluejay preflight letter.pdf --picture page-1.png'],
  notes: ['Exit code 9 when the file cannot be printed.'],
  async run(context) {
    const { args, text, has, out, signal } = context;
    const serviceType = text('service') as Service | undefined;
    const zone = text('zone') as Zone | undefined;
    const { bluejay } = await connect(context);
    const s3Key = await bluejay.uploads.file(args[0] ?? '', {}, { signal });
    const body = {
      files: [{ s3Key }],
      ...(serviceType && { serviceType }),
      ...(zone && { zone }),
      ...(has('color') && { color: true }),
      ...(has('one-side') && { doubleSided: false }),
    };
    const check = await waitForCheck(bluejay, await bluejay.preflights.create(body, { signal }), signal);
    out.result(check, () => describe(check, out));
    const picture = text('picture');
    if (picture !== undefined) await savePicture(check.overlayUrl, picture, signal);
    if (picture !== undefined) out.note(`Page 1 is in ${picture}.`);
    if (!check.canBePrinted) {
      const next = 'Fix the errors above, then check the file again.';
      throw new Refusal('The file cannot be printed.', { code: 'CANNOT_BE_PRINTED', next });
    }
  },
};

async function waitForCheck(bluejay: Bluejay, first: Preflight, signal: AbortSignal): Promise<Preflight> {
  const startedMs = Date.now();
  let check = first;
  while (check.status === 'running') {
    if (Date.now() - startedMs > checkForMs)
      throw new Refusal('The file was not checked in time.', { code: 'TIMEOUT' });
    await sleep(checkEveryMs, undefined, { signal });
    check = await bluejay.preflights.get(check.preflightId, { signal });
  }
  return check;
}

function describe({ letter, findings }: Preflight, out: Output): string[] {
  const summary = letter && [
    `${count(letter.pages, 'page')}, ${count(letter.sheets, 'sheet')}, ${letter.weightGrams} g, envelope ${letter.envelope}`,
    ...(letter.addressOn === 'cover' ? ['The address is printed on a cover page.'] : []),
  ];
  const lines = findings.flatMap(({ severity, page, message, fix }) => {
    const where = page === null ? '' : ` (page ${page})`;
    const mark =
      severity === 'error'
        ? out.paint('red', 'Error')
        : out.paint(
            'yellow',
            severity.replace(/^./, (c) => c.toUpperCase()),
          );
    return [`${mark}${where}: ${plain(message)}`, ...(fix ? [`  Fix: ${plain(fix)}`] : [])];
  });
  return [...(summary ?? []), ...lines, ...(findings.length === 0 ? [out.paint('green', 'No findings.')] : [])];
}

async function savePicture(url: string | null, path: string, signal: AbortSignal): Promise<void> {
  if (url === null) throw new Refusal('There is no picture of this file.', { code: 'NO_PICTURE' });
  const answer = await requestStore('The picture cannot be read', url, { signal });
  await writeFile(path, Buffer.from(await answer.arrayBuffer()));
}
