import { FaultInDocument } from '../isolation/fault-in-document.ts';

/** Pixels of three bytes (red, green, blue), rows from the top, with the container's rotation applied. */
export type DecodedPhoto = { data: Uint8Array; width: number; height: number };

/**
 * Decodes the primary image of a HEIC or HEIF file. `inspect` receives the dimensions in the header and may throw
 * before anything is decoded. Throws `damaged_image`. The alpha channel and a copy of four bytes per pixel are avoided,
 * which keeps 48 megapixels within 400 MB.
 */
export async function decodeHeic(
  bytes: Uint8Array,
  inspect: (width: number, height: number) => void,
): Promise<DecodedPhoto> {
  // Loaded on demand: most images are of other types, and loading takes 60 ms.
  const { default: libheif } = await import('libheif-js/wasm-bundle.js');
  const context = libheif.heif_context_alloc();
  const opened = libheif.heif_context_read_from_memory(context, bytes);
  if (opened.code !== libheif.heif_error_code.heif_error_Ok) throw new FaultInDocument('damaged_image', 'container');

  const handle = libheif.heif_js_context_get_primary_image_handle(context);
  if (isError(handle)) throw new FaultInDocument('damaged_image', 'no main image');
  inspect(libheif.heif_image_handle_get_width(handle), libheif.heif_image_handle_get_height(handle));

  const { heif_colorspace_RGB: colours } = libheif.heif_colorspace;
  const { heif_chroma_interleaved_RGB: layout } = libheif.heif_chroma;
  const decoded = await libheif.heif_js_decode_image2(handle, colours, layout);
  const plane = decoded?.channels?.[0];
  if (!plane) throw new FaultInDocument('damaged_image', 'cannot be decoded');
  // The decoded image may be larger than the header declares.
  inspect(plane.width, plane.height);
  return { data: withoutPadding(plane), width: plane.width, height: plane.height };
}

function isError(answer: unknown): boolean {
  return !answer || (typeof answer === 'object' && 'code' in answer);
}

/** Removes the padding that libheif may append to each row. */
function withoutPadding({
  data,
  stride,
  width,
  height,
}: {
  data: Uint8Array;
  stride: number;
  width: number;
  height: number;
}) {
  const rowBytes = width * 3;
  if (stride === rowBytes) return data.subarray(0, rowBytes * height);
  const packed = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    packed.set(data.subarray(row * stride, row * stride + rowBytes), row * rowBytes);
  }
  return packed;
}
