import { documentFaults } from '#common/documents/isolation/document-error.ts';
import { faultDocumentation } from '#common/documents/preflight/fault-findings.ts';
import { findingTable } from '#common/documents/preflight/finding-table.ts';
import { a4, type BoxMm } from '#common/documents/sheet/a4.ts';
import { envelopeSchemes } from '#common/documents/sheet/envelope-schemes.ts';
import { code, markdownTable } from './markdown-table.ts';

type Explained = { title: string; explanation: string; fix: string; howTo: string | null; severity: string };

/** Returns a section for each code that a finding can have, headed by the code. */
export function findingSections(): Record<string, string> {
  const faults = Object.entries(faultDocumentation).map(([name, { title, explanation }]): [string, Explained] => {
    const { message } = documentFaults[name as keyof typeof faultDocumentation];
    // What is wrong, then what to do.
    const fix = message.slice(message.indexOf('. ') + 2);
    return [name, { title, explanation, fix, howTo: null, severity: 'error' }];
  });
  return {
    findings: Object.entries(findingTable).map(toSection).join('\n\n'),
    'file-findings': faults.map(toSection).join('\n\n'),
  };
}

function toSection([name, { title, explanation, fix, howTo, severity }]: [string, Explained]): string {
  const steps = howTo === null ? '' : `\n\n${howTo}`;
  return `### ${code(name)}\n\n**${title}** (${severity}). ${explanation}\n\nWhat to do: ${fix}${steps}`;
}

/** Returns a table of the envelopes with the places of their window on page 1. */
export function schemeTable(): Record<string, string> {
  const rows = Object.entries(envelopeSchemes).map(([name, { window, franking, address }]) => [
    code(name),
    ...[window, franking, address].map(place),
  ]);
  const columns = ['Envelope', 'Window, to be left blank', 'Franking mark', 'Address'];
  return { 'envelope-schemes': markdownTable(columns, rows), 'a4-size': `${a4.widthMm} x ${a4.heightMm} mm` };
}

function place({ x, y, width, height }: BoxMm): string {
  return `${width} x ${height} mm at ${x}, ${y}`;
}
