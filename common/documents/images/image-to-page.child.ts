import type { UploadMimeType } from '#common/mime-types.ts';
import { childMain } from '../isolation/child-main.ts';
import { createFileSink } from '../pdf/pdf-sink.ts';
import { createPdfWriter, toRef } from '../pdf/pdf-writer.ts';
import { placeOnA4 } from './place-on-a4.ts';
import { type PdfImage, readImage } from './read-image.ts';

/** The entries of an A4 page in landscape that is printed on a sheet in portrait, its top at the left. */
const turnedLandscape = '/Rotate 270 /BJ_Fitted [297 210 270 100]';

/** Converts an image to an A4 page: `image-to-page.child.ts <image> <mimeType>` writes `part.pdf` to its folder. */
await childMain('damaged_image', async ([path = '', mimeType = '']) => {
  writePage('part.pdf', await readImage(path, mimeType as UploadMimeType));
  return { pageCount: 1 };
});

function writePage(path: string, image: PdfImage): void {
  const { pageWidth, pageHeight, isLandscape, matrix } = placeOnA4(image.width, image.height, image.orientation);
  const writer = createPdfWriter(createFileSink(path));
  const [pageNumber, contentNumber, imageNumber] = [writer.reserve(), writer.reserve(), writer.reserve()];
  const points = (value: number) => String(Math.round(value * 1000) / 1000);

  const kind = `/Type /XObject /Subtype /Image /Width ${image.width} /Height ${image.height}`;
  writer.stream(imageNumber, `${kind} ${image.entries}`, image.parts);
  const draw = Buffer.from(`q ${matrix.map(points).join(' ')} cm /Image Do Q\n`, 'latin1');
  writer.stream(contentNumber, '', [draw]);

  const resources = `<< /XObject << /Image ${toRef(imageNumber)} >> >>`;
  writer.beginObject(pageNumber);
  writer.text(`<< /Type /Page /Parent ${toRef(writer.pagesNumber)}`);
  writer.text(` /MediaBox [0 0 ${points(pageWidth)} ${points(pageHeight)}]`);
  if (isLandscape) writer.text(` ${turnedLandscape}`);
  writer.text(` /Resources ${resources} /Contents ${toRef(contentNumber)} >>`);
  writer.endObject();
  writer.addPage(pageNumber);
  writer.finish();
}
