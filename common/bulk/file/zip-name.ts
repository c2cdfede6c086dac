/** The upper half of code page 850, in which ZIP programs of Windows write names in Western Europe. */
const codePage850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/**
 * Returns the name of a file in a ZIP. Names without the mark of UTF-8 are UTF-8 all the same when macOS wrote them, and
 * in the code page of the machine when Windows did.
 */
export function decodeZipName(bytes: Buffer, isMarkedUtf8: boolean): string {
  if (isMarkedUtf8) return bytes.toString('utf8');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : codePage850[byte - 0x80])).join('');
  }
}

/**
 * Returns a name of a document as it is compared: macOS writes accents as characters of their own, some programs of Windows
 * separate folders with a backslash, and an index may begin with `./`.
 */
export function foldZipName(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '');
}
