import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PDFDocument, type PDFFont, type PDFPage, rgb } from '@cantoo/pdf-lib';
import * as fontkit from 'fontkit';

/** A4, in points. */
const paper = { width: 595.28, height: 841.89 };
const mm = 72 / 25.4;
const left = 25 * mm;
const right = paper.width - 25 * mm;
const ink = rgb(0.11, 0.14, 0.19);
const quiet = rgb(0.4, 0.45, 0.52);
const blue = rgb(0.11, 0.31, 0.57);
const paleBlue = rgb(0.87, 0.92, 0.98);

type Fonts = { text: PDFFont; bold: PDFFont };

const require = createRequire(import.meta.url);
const readFont = (name: string) => readFile(require.resolve(`@expo-google-fonts/arimo/${name}.ttf`));

/** Creates the demo letter: two pages of A4, as a customer's system would. It leaves the window of the envelope blank. */
export async function makeLetterPdf(writtenOn: Date): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.registerFontkit(fontkit as never);
  document.setTitle('Welcome to Bluejay');
  document.setCreationDate(writtenOn);
  const fonts = {
    text: await document.embedFont(await readFont('400Regular/Arimo_400Regular'), { subset: true }),
    bold: await document.embedFont(await readFont('700Bold/Arimo_700Bold'), { subset: true }),
  };
  drawFirstPage(document.addPage([paper.width, paper.height]), fonts, writtenOn);
  drawSecondPage(document.addPage([paper.width, paper.height]), fonts);

  return await document.save();
}

function drawFirstPage(page: PDFPage, fonts: Fonts, writtenOn: Date): void {
  drawHead(page, fonts, 'Page 1 of 2');
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/Brussels' }).format(writtenOn);
  page.drawText(`Brussels, ${date}`, { x: left, y: fromTop(103), size: 10, font: fonts.text, color: quiet });
  page.drawText('Your first letter', { x: left, y: fromTop(119), size: 20, font: fonts.bold, color: ink });
  drawParagraphs(page, fonts.text, 131, [
    'Dear reader,',
    'This letter was not put into an envelope by hand. A program asked for its price, uploaded it together with two ' +
      'photographs, paid for it from a wallet, and was told by signed messages when it was printed, posted and delivered.',
    'The photographs follow on pages three and four: one came as a JPEG that lies on its side, the other as a HEIC file ' +
      'straight from a telephone. The service has turned both upright, placed them on A4 with a margin, and joined them ' +
      'with these two pages into one file for the printer.',
    'Nothing was printed on paper this time: the letter was sent with a test key, and its postman is a clock. With a ' +
      'live key the same four requests bring a real letter to a real door.',
    'Yours sincerely,',
  ]);
  page.drawText('Bluejay', { x: left, y: fromTop(226), size: 15, font: fonts.bold, color: blue });
}

const stations = [
  { name: 'Queued', text: 'The wallet is debited and the letter is stored, in one transaction.' },
  { name: 'Printed', text: 'All files are checked, turned into A4 pages, merged and printed.' },
  { name: 'Posted', text: 'The envelope is handed in at the post office.' },
  { name: 'Delivered', text: 'Registered letters report that they have arrived.' },
];

function drawSecondPage(page: PDFPage, fonts: Fonts): void {
  drawHead(page, fonts, 'Page 2 of 2');
  page.drawText('The way of a letter', { x: left, y: fromTop(60), size: 20, font: fonts.bold, color: ink });
  const lineX = left + 5 * mm;
  page.drawLine({
    start: { x: lineX, y: fromTop(80) },
    end: { x: lineX, y: fromTop(80 + (stations.length - 1) * 28) },
    thickness: 2,
    color: paleBlue,
  });
  stations.forEach(({ name, text }, index) => {
    const topMm = 80 + index * 28;
    page.drawCircle({ x: lineX, y: fromTop(topMm), size: 11, color: blue });
    const number = { x: lineX - 3.2, y: fromTop(topMm) - 4, size: 11, font: fonts.bold, color: rgb(1, 1, 1) };
    page.drawText(String(index + 1), number);
    page.drawText(name, { x: left + 15 * mm, y: fromTop(topMm), size: 13, font: fonts.bold, color: ink });
    page.drawText(text, { x: left + 15 * mm, y: fromTop(topMm + 6.5), size: 10.5, font: fonts.text, color: quiet });
  });
  drawParagraphs(page, fonts.text, 200, [
    'Each of these steps is reported to your own system by a webhook. The message is signed with a secret that only you ' +
      'and the service know: check the signature and its time before you believe it.',
  ]);
}

function drawHead(page: PDFPage, { text, bold }: Fonts, pageLabel: string): void {
  // Printers leave 5 mm of each edge blank.
  const edge = 5 * mm;
  page.drawRectangle({ x: edge, y: fromTop(32), width: paper.width - 2 * edge, height: 27 * mm, color: paleBlue });
  page.drawRectangle({ x: left, y: fromTop(22), width: 13 * mm, height: 9 * mm, color: blue });
  const flap = { thickness: 1.4, color: rgb(1, 1, 1) };
  const tip = { x: left + 6.5 * mm, y: fromTop(18.5) };
  page.drawLine({ start: { x: left, y: fromTop(13) }, end: tip, ...flap });
  page.drawLine({ start: tip, end: { x: left + 13 * mm, y: fromTop(13) }, ...flap });
  page.drawText('Bluejay', { x: left + 18 * mm, y: fromTop(19.5), size: 20, font: bold, color: blue });
  const width = text.widthOfTextAtSize(pageLabel, 9);
  page.drawText(pageLabel, { x: right - width, y: fromTop(19), size: 9, font: text, color: quiet });
}

/** Draws paragraphs, with lines broken at the right margin. */
function drawParagraphs(page: PDFPage, font: PDFFont, topMm: number, paragraphs: readonly string[]): void {
  const size = 11;
  let y = topMm;
  for (const paragraph of paragraphs) {
    for (const line of breakLines(paragraph, font, size)) {
      page.drawText(line, { x: left, y: fromTop(y), size, font, color: ink });
      y += 6;
    }
    y += 4;
  }
}

function breakLines(text: string, font: PDFFont, size: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (font.widthOfTextAtSize(longer, size) <= right - left) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function fromTop(distanceMm: number): number {
  return paper.height - distanceMm * mm;
}
