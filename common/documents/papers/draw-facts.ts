import type { Paper } from './open-paper.ts';
import { contentMm, marginMm } from './paper-batch.ts';

/** A label, its value in large type, and what more there is to say. */
export type Fact = readonly [label: string, value: string, more: string];

const factHeightMm = 18;
const factsPerRow = 4;

/** Draws facts in boxes, from left to right and from top to bottom, over the width between the margins. */
export function drawFacts(paper: Paper, top: number, facts: readonly Fact[]): void {
  const cellMm = contentMm / factsPerRow;
  for (const [index, [label, value, more]] of facts.entries()) {
    const x = marginMm + (index % factsPerRow) * cellMm;
    const y = top + Math.floor(index / factsPerRow) * factHeightMm;
    paper.box({ x, y, width: cellMm, height: factHeightMm }, { stroke: 0 });
    paper.text(label, { x: x + 2.5, y: y + 4.8, size: 8.5 });
    paper.text(value, { x: x + 2.5, y: y + 11, size: 14, weight: 'bold' });
    paper.text(more, { x: x + 2.5, y: y + 15.8, size: 8 });
  }
}
