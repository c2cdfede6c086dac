/** The functions used from libheif (WebAssembly build with embedded wasm). The package has no types for them. */
declare module 'libheif-js/wasm-bundle.js' {
  /** Either channels or an error code. */
  type Decoded = { code?: unknown; channels?: { width: number; height: number; stride: number; data: Uint8Array }[] };

  const libheif: {
    heif_context_alloc(): unknown;
    heif_context_read_from_memory(context: unknown, bytes: Uint8Array): { code: unknown };
    heif_js_context_get_primary_image_handle(context: unknown): unknown;
    heif_image_handle_get_width(handle: unknown): number;
    heif_image_handle_get_height(handle: unknown): number;
    heif_js_decode_image2(handle: unknown, colorspace: unknown, chroma: unknown): Promise<Decoded> | Decoded;
    heif_error_code: { heif_error_Ok: unknown };
    heif_colorspace: { heif_colorspace_RGB: unknown };
    heif_chroma: { heif_chroma_interleaved_RGB: unknown };
  };
  export = libheif;
}
