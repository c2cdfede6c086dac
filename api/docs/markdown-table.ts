/** Returns a Markdown table. Cells are Markdown; their pipes are escaped. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns a value as inline code. */
export function code(value: unknown): string {
  return `\`${value}\``;
}
