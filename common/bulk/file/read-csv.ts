import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { type DetectedEncoding, detectEncoding } from './detect-encoding.ts';
import { detectSeparator, readDeclaration, type TableSeparator } from './detect-separator.ts';
import { decodeText } from './encoding/decode-text.ts';
import type { TableEncoding } from './encoding/table-encodings.ts';
import type { Reading } from './reading.ts';
import type { RowWriter } from './row-writer.ts';
import { TableFault, type TableFaultName } from './table-fault.ts';
import { maxRecordLength } from './table-limits.ts';

export type CsvFormat = Pick<DetectedEncoding, 'encoding' | 'likely'> & { kind: 'csv'; separator: TableSeparator };

const sampleBytes = 256 * 1024;

const faultOfCode: Partial<Record<string, TableFaultName>> = {
  CSV_MAX_RECORD_SIZE: 'row_too_long',
  CSV_QUOTE_NOT_CLOSED: 'quote_not_closed',
};

/** Reads the rows of a CSV file, and returns what it was read as. Throws TableFault. */
export async function readCsv(bytes: Buffer, rows: RowWriter, reading: Reading): Promise<CsvFormat> {
  // Decoders of Unicode leave a BOM out.
  const chosen = reading.encoding && { encoding: reading.encoding, bomBytes: 0 };
  const { encoding, bomBytes, likely }: DetectedEncoding = chosen ?? detectEncoding(bytes);
  const text = bytes.subarray(bomBytes);
  const sample = [...decodeText(text.subarray(0, sampleBytes), encoding)].join('');
  const declared = readDeclaration(sample);
  const separator = reading.separator ?? declared?.separator ?? detectSeparator(sample);
  // A line of the file, though none of the list.
  if (declared) rows.add([]);
  const parser = parse({
    delimiter: separator,
    // All three, because lists that were put together by hand mix them.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // A quote inside of a cell is a part of its text.
    relax_quotes: true,
    max_record_size: maxRecordLength,
  });
  const source = Readable.from(stepsOf(text, encoding, declared?.length ?? 0), { objectMode: false });
  source.on('error', (error) => parser.destroy(error)).pipe(parser);
  try {
    for await (const cells of parser) rows.add(cells as string[]);
  } catch (error) {
    throw toFault(error);
  }
  return { kind: 'csv', encoding, separator, ...(likely && { likely }) };
}

/** Yields the text without its first characters, which are within the first step. */
function* stepsOf(text: Buffer, encoding: TableEncoding, skipped: number): Generator<string> {
  let rest = skipped;
  for (const step of decodeText(text, encoding)) {
    if (step.includes('\u0000')) throw new TableFault('nul_bytes');
    const wanted = step.slice(rest);
    rest = Math.max(0, rest - step.length);
    if (wanted !== '') yield wanted;
  }
}

function toFault(error: unknown): unknown {
  const { code, lines } = error as Partial<CsvError>;
  const fault = faultOfCode[code ?? ''];
  return fault === undefined ? error : new TableFault(fault, { line: typeof lines === 'number' ? lines : undefined });
}
