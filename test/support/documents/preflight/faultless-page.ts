import type { PageReport } from '#common/documents/preflight/page-report.ts';

/** What is measured on an A4 page about which there is nothing to say. */
export const faultlessPage: PageReport = {
  widthMm: 210,
  heightMm: 297,
  rotation: 0,
  fitted: null,
  notes: [],
  isBlank: false,
  isColoured: false,
  outside: [],
  windows: { 'window-left': null, 'window-right': null, registered: null },
  mark: null,
  fonts: [],
  images: [],
  isIncomplete: false,
};
