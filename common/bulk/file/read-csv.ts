import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { detectEncoding, type TableEncoding } from './detect-encoding.ts';
import { detectSeparator, type TableSeparator } from './detect-separator.ts';
import type { RowWriter } from './row-writer.ts';
import { TableFault, type TableFaultName } from './table-fault.ts';
import { maxRecordLength } from './table-limits.ts';

export type CsvFormat = { kind: 'csv'; encoding: TableEncoding; separator: TableSeparator };

const stepBytes = 64 * 1024;

const faultOfCode: Partial<Record<string, TableFaultName>> = {
  CSV_MAX_RECORD_SIZE: 'row_too_long',
  CSV_QUOTE_NOT_CLOSED: 'quote_not_closed',
  INVALID_OPENING_QUOTE: 'stray_quote',
  CSV_INVALID_CLOSING_QUOTE: 'stray_quote',
};

/** Reads the rows of a CSV file, and returns what it was read as. Throws TableFault. */
export async function readCsv(bytes: Buffer, rows: RowWriter): Promise<CsvFormat> {
  const { encoding, bomBytes } = detectEncoding(bytes);
  const text = bytes.subarray(bomBytes);
  const sample = new TextDecoder(encoding).decode(text.subarray(0, 4 * stepBytes));
  const separator = detectSeparator(sample);
  const parser = parse({
    delimiter: separator,
    // All three, because lists that were put together by hand mix them.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: maxRecordLength,
  });
  const source = Readable.from(decode(text, encoding), { objectMode: false });
  source.on('error', (error) => parser.destroy(error)).pipe(parser);
  try {
    for await (const cells of parser) rows.add(cells as string[]);
  } catch (error) {
    throw toFault(error);
  }
  return { kind: 'csv', encoding, separator };
}

function* decode(text: Buffer, encoding: TableEncoding): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (let at = 0; at < text.length; at += stepBytes) {
    const step = decoder.decode(text.subarray(at, at + stepBytes), { stream: true });
    // UTF-16 is searched here: half of its bytes are zero anyway.
    if (encoding.startsWith('utf-16') && step.includes('\u0000')) throw new TableFault('nul_bytes');
    if (step !== '') yield step;
  }
}

function toFault(error: unknown): unknown {
  const { code, lines } = error as Partial<CsvError>;
  const fault = faultOfCode[code ?? ''];
  return fault === undefined ? error : new TableFault(fault, { line: typeof lines === 'number' ? lines : undefined });
}
