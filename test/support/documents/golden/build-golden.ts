import { rawPdf, rawStream } from '../build-pdf.ts';

/** A PDF whose print file must look the same. */
export type GoldenPdf = {
  name: string;
  bytes: Buffer;
  pages: number;
  /** A PDF that shows on the screen what a print of `bytes` shows, where the two differ. */
  printsLike?: Buffer;
};

export type GoldenPage = {
  /** Without one, the page has no content entry. */
  content?: string;
  /** Entries of its resources. Null for a page without resources of its own. */
  resources?: string | null;
  /** Further entries of the page. */
  entries?: string;
  /** Null for a page without a MediaBox of its own. */
  box?: string | null;
};

export type Objects = Record<number, string | Buffer>;

/** Width and height of a page without another box. */
export const side = 200;
const fontNumber = 3;
export const helvetica = `/Font << /F1 ${fontNumber} 0 R >>`;

/**
 * Catalog (object 1), page tree (2), Helvetica (3), and pages with their content (from 100). `objects` adds others, and
 * `tree` and `catalog` add entries.
 */
export function pagesPdf(
  pages: readonly GoldenPage[],
  { objects = {}, tree = '', catalog = '' }: { objects?: Objects; tree?: string; catalog?: string } = {},
): Buffer {
  const numbers = pages.map((_, i) => 100 + 2 * i);
  return rawPdf({
    objects: {
      1: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      2: `<< /Type /Pages /Count ${pages.length} /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] ${tree} >>`,
      [fontNumber]: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...objects,
      ...Object.fromEntries(pages.flatMap((page, i) => pageObjects(page, numbers[i] ?? 0))),
    },
  });
}

function pageObjects(page: GoldenPage, number: number): [number, string | Buffer][] {
  const { content, resources = helvetica, entries = '', box = `[0 0 ${side} ${side}]` } = page;
  const words = [
    '<< /Type /Page /Parent 2 0 R',
    box === null ? '' : `/MediaBox ${box}`,
    resources === null ? '' : `/Resources << ${resources} >>`,
    content === undefined ? '' : `/Contents ${number + 1} 0 R`,
    `${entries} >>`,
  ];
  const object: [number, string] = [number, words.filter(Boolean).join(' ')];
  return content === undefined ? [object] : [object, [number + 1, rawStream('', content)]];
}

/** A page with this content and these resources. */
export function contentPdf(content: string, resources = helvetica, objects: Objects = {}): Buffer {
  return pagesPdf([{ content, resources }], { objects });
}

/** Content that no rotation, reflection or shift leaves unchanged: text and three areas that fill a box. */
export function drawing(width = side, height = side, x = 0, y = 0): string {
  const at = (right: number, up: number) => `${x + right * width} ${y + up * height}`;
  return [
    `0 g ${at(0, 0)} ${width / 2} ${height / 4} re f`,
    `0.5 g ${at(0, 0.75)} ${width / 4} ${height / 4} re f`,
    `0.2 g ${at(0.8, 0.3)} ${width / 10} ${height / 2} re f`,
    `0 g BT /F1 ${width / 7} Tf ${at(0.05, 0.5)} Td (Dear reader) Tj ET`,
  ].join('\n');
}

/** Content that fills a rectangle with a colour, black by default. */
export function fill(x: number, y: number, width: number, height: number, colour = '0 g'): string {
  return `${colour} ${x} ${y} ${width} ${height} re f`;
}
