/** Most pages of a mail job, and therefore of one file. */
export const maxPages = 2000;
