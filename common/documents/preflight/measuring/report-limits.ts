/** Most boxes of ink outside the printable area, and of images, per page. */
export const maxBoxes = 12;
/** Most names of fonts per page. */
export const maxFonts = 10;
