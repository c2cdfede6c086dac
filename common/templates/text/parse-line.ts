import type { Span } from '#common/documents/typesetting/letter-content.ts';
import type { Run } from './template-blocks.ts';
import type { TextFault, TextFaultCode } from './text-faults.ts';
import { isVariableName } from './variable-names.ts';

const punctuation = /^[!-/:-@[-`{-~]$/;

/** Further faults of a line are not listed. */
const maxFaults = 20;

/** The runs of a line of a template's text, and what is wrong in it. `line` counts its line feeds before the fault. */
export type ParsedLine = { runs: Run[]; faults: TextFault[] };

/**
 * Parses a line: `**bold**`, `((name))`, `((name??text))`, and a backslash before any punctuation that stands for
 * itself. Line feeds are kept. Anything else is text.
 */
export function parseLine(source: string): ParsedLine {
  const runs: Run[] = [];
  const faults: TextFault[] = [];
  let isBold = false;
  let text = '';
  const flush = () => {
    if (text !== '') runs.push({ kind: 'text', text, isBold });
    text = '';
  };

  for (let at = 0; at < source.length; ) {
    const next = source[at + 1] ?? '';
    if (source[at] === '\\' && punctuation.test(next)) {
      text += next;
      at += 2;
    } else if (source.startsWith('((', at)) {
      const end = findClosing(source, at + 2);
      flush();
      const report = (code: TextFaultCode, value: string) => {
        if (faults.length < maxFaults) faults.push({ line: countLineFeeds(source, at), code, value });
      };
      if (end === null) report('notClosed', '');
      else pushVariable(source.slice(at + 2, end), isBold, runs, report);
      at = end === null ? source.length : end + 2;
    } else if (source.startsWith('**', at) && (isBold || source.indexOf('**', at + 2) > at + 2)) {
      flush();
      isBold = !isBold;
      at += 2;
    } else {
      text += source[at];
      at += 1;
    }
  }
  flush();
  return { runs, faults };
}

const countLineFeeds = (source: string, end: number) => source.slice(0, end).split('\n').length - 1;

/** Returns where `))` closes a variable whose content starts at `from`; null when nothing does. */
function findClosing(source: string, from: number): number | null {
  for (let at = from; at < source.length - 1; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source.startsWith('))', at)) return at;
  }
  return null;
}

function pushVariable(
  content: string,
  isBold: boolean,
  runs: Run[],
  report: (code: TextFaultCode, value: string) => void,
): void {
  const [, given = content, optional] = /^(.*?)\?\?(.*)$/s.exec(content) ?? [];
  const name = given.trim();
  if (!isVariableName(name)) report('badName', name.slice(0, 60));
  else if (optional === undefined) runs.push({ kind: 'variable', name, isBold });
  else {
    const inner = parseLine(optional);
    const spans = inner.runs.flatMap((run) => (run.kind === 'text' ? [toSpan(run, isBold)] : []));
    if (inner.runs.length > spans.length || inner.faults.length > 0) report('nestedVariable', name);
    runs.push({ kind: 'optional', name, spans });
  }
}

const toSpan = ({ text, isBold }: Span, isAllBold: boolean): Span => ({ text, isBold: isBold || isAllBold });
