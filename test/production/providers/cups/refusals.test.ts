// Level: unit
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCupsPrinter } from '#common/production/providers/cups/create-cups-printer.ts';
import { groupTags, operations, valueTags } from '#common/production/providers/cups/encode-request.ts';
import {
  PrinterBusyError,
  PrinterRefusedError,
  PrintInDoubtError,
} from '#common/production/providers/cups/printer-errors.ts';
import { describe, expect, guardMs, openOnce, test, useTempFolders } from '#test/support/jest.ts';
import { type AnswerAttribute, ippAnswer, jobGroup, printerGroup } from '#test/support/print/ipp-answers.ts';
import { startIppServer } from '#test/support/print/ipp-server.ts';

const server = openOnce(startIppServer);
const newFolder = useTempFolders();
const printer = () => createCupsPrinter({ uri: server.uri, timeoutMs: guardMs });
const print = (color = false) => printer().print({ name: 'mi_1', content: { bytes: Buffer.from('%PDF') }, color });
const { keyword, mimeMediaType, enum: enumTag } = valueTags;

describe('a print job that the printer answers with an error', () => {
  test.each([
    [0x0400, PrinterRefusedError],
    [0x0403, PrinterRefusedError],
    [0x0404, PrinterBusyError],
    [0x0405, PrintInDoubtError],
    [0x040a, PrinterRefusedError],
    [0x040b, PrinterRefusedError],
    [0x0411, PrintInDoubtError],
    [0x04ff, PrintInDoubtError],
    [0x0500, PrintInDoubtError],
    [0x0504, PrintInDoubtError],
    [0x0505, PrintInDoubtError],
    [0x0506, PrinterBusyError],
    [0x0507, PrinterBusyError],
    [0x0508, PrintInDoubtError],
    [0x050b, PrinterBusyError],
    [0x0300, PrintInDoubtError],
  ])('IPP status %i decides whether there can be a job', async (status, kind) => {
    server.answerPrint(({ requestId }) => ippAnswer({ requestId, status, statusMessage: 'No\npaper\u0007' }));
    const printed = print();
    await expect(printed).rejects.toBeInstanceOf(kind);
    await expect(printed).rejects.toThrow(/^Print-Job: \S+: No paper$/);
  });

  test.each([
    [403, PrinterRefusedError],
    [413, PrinterRefusedError],
    [303, PrintInDoubtError],
    [408, PrintInDoubtError],
    [500, PrintInDoubtError],
    [504, PrintInDoubtError],
  ])('HTTP status %i after the document decides whether there can be a job', async (status, kind) => {
    server.answerPrint((_request, response) => {
      response.writeHead(status).end();
      return undefined;
    });
    await expect(print()).rejects.toBeInstanceOf(kind);
  });

  test('an error that comes with a job leaves it in doubt', async () => {
    server.answerPrint(({ requestId }) => ippAnswer({ requestId, status: 0x040b, groups: [jobGroup(7)] }));
    await expect(print()).rejects.toBeInstanceOf(PrintInDoubtError);
  });
});

describe('a printer that cannot print letters', () => {
  const lacking: [string, AnswerAttribute][] = [
    ['sides-supported: two-sided-long-edge', ['sides-supported', keyword, 'one-sided']],
    ['media-supported: iso_a4_210x297mm', ['media-supported', keyword, 'na_letter_8.5x11in']],
    ['document-format-supported: application/pdf', ['document-format-supported', mimeMediaType, 'image/urf']],
    ['operations-supported: Cancel-Job', ['operations-supported', enumTag, 2, 9, 10, 11]],
    ['which-jobs-supported: all', ['which-jobs-supported', keyword, 'completed']],
  ];
  test.each(lacking)('lacks %s and gets no job', async (lack, attribute) => {
    server.answer(({ requestId }) => ippAnswer({ requestId, groups: [printerGroup([attribute])] }));
    expect((await printer().check()).lacks).toEqual([lack]);
    await expect(print()).rejects.toThrow(new PrinterRefusedError(`The printer does not support ${lack}`));
    expect(server.requests().map(({ operation }) => operation)).not.toContain(operations['Print-Job']);
  });

  test('prints no letter in colour when it prints black only', async () => {
    const black: AnswerAttribute = ['print-color-mode-supported', keyword, 'monochrome'];
    server.answer(({ requestId, operation }) => {
      const group = operation === operations['Print-Job'] ? jobGroup(7) : printerGroup([black]);
      return ippAnswer({ requestId, groups: [group] });
    });
    await expect(print(true)).rejects.toThrow('print-color-mode-supported: color');
    await expect(print(false)).resolves.toEqual({ jobId: 7 });
  });
});

describe('the jobs of a printer', () => {
  const unusable: [string, ReturnType<typeof jobGroup>[], string][] = [
    ['repeats a page', [jobGroup(3), jobGroup(3)], 'does not list jobs by ascending id'],
    ['lists them from the last to the first', [jobGroup(3), jobGroup(2)], 'does not list jobs by ascending id'],
    [
      'hides their names',
      [[groupTags.job, ['job-id', valueTags.integer, 3], ['job-state', enumTag, 3]]],
      'hides the names of jobs',
    ],
  ];
  test.each(unusable)('are not taken as complete when it %s', async (_title, groups, reason) => {
    server.answer(({ requestId }) => ippAnswer({ requestId, groups }));
    const found = printer().findJobs(new Set(['mi_1']));
    await expect(found).rejects.toBeInstanceOf(PrinterRefusedError);
    await expect(found).rejects.toThrow(reason);
    expect(server.requests()).toHaveLength(1);
  });

  test('are not taken as complete when it sends the same page again', async () => {
    server.answer(({ requestId }) => ippAnswer({ requestId, groups: [jobGroup(3)] }));
    await expect(printer().findJobs(new Set(['mi_1']))).rejects.toThrow('does not list jobs by ascending id');
    expect(server.requests()).toHaveLength(2);
  });

  test('are read to the end when the printer lists fewer at a time than asked', async () => {
    server.answer(({ requestId, body }) => {
      const at = body.indexOf('first-job-id') + 'first-job-id'.length + 2;
      const firstId = body.readInt32BE(at);
      return ippAnswer({ requestId, groups: firstId > 5 ? [] : [jobGroup(firstId)] });
    });
    const found = await printer().findJobs(new Set(['mi_1', 'mi_5', 'mi_6']));
    expect([...found.keys()]).toEqual(['mi_1', 'mi_5']);
    expect(server.requests()).toHaveLength(6);
  });
});

test('a file that shrinks while it is sent leaves the job in doubt', async () => {
  const path = join(await newFolder(), 'letter.pdf');
  await writeFile(path, Buffer.alloc(4_000_000));
  server.answer(({ requestId }) => ippAnswer({ requestId, groups: [printerGroup()] }));
  server.answerHead((response) => {
    // The document is asked for when it is not there any more.
    writeFile(path, 'short').then(() => response.writeContinue());
  });
  const printed = printer().print({ name: 'mi_1', content: { path }, color: false });
  await expect(printed).rejects.toThrow(new PrintInDoubtError('Print-Job: the document has changed while it was sent'));
});
