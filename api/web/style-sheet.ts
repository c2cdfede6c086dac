import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'assets');

export const faviconFile = { folder, name: 'favicon.ico' };

/** In this order: what comes later may count on what comes before. */
const parts = ['tokens', 'base', 'layout', 'forms', 'components', 'notices', 'tables', 'letters', 'lists', 'print'];

/** All style sheets as one, read when the process starts: browsers fetch it once a version. */
export const styleSheet = parts.map((part) => readFileSync(join(folder, `${part}.css`), 'utf8')).join('\n');
/** The one small script; every page works without it. */
export const script = readFileSync(join(folder, 'page.js'), 'utf8');

const versionOf = (content: string) => createHash('sha256').update(content).digest('hex').slice(0, 12);

/** Their addresses change with their content, so that they can be kept for ever. */
export const styleSheetPath = `/assets/${versionOf(styleSheet)}.css`;
export const scriptPath = `/assets/${versionOf(script)}.js`;
