import { noTexts, pagesWith } from '#api/web/framework/page.ts';

/** Pages of administrators are in English: their own texts are in the page. */
export const { definePage, defineAction } = pagesWith('admin', noTexts);
