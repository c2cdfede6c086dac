import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { makeTone } from './make-tone.ts';

const folder = join(import.meta.dirname, '../assets');

/** Sends the icon of all pages. */
export const sendFavicon = sendFile('favicon.ico', folder);

/** In cascade order: later files override earlier ones. */
const parts = [
  'tokens',
  'base',
  'layout',
  'forms',
  'components',
  'notices',
  'tables',
  'letters',
  'send',
  'lists',
  'charts',
  'bulk',
  'press',
  'print',
];

/** Joins style sheets, in the given order. */
export function joinStyleSheets(names: readonly string[]): string {
  return names.map((name) => readFileSync(join(folder, `${name}.css`), 'utf8')).join('\n');
}

/** All style sheets in one file, so browsers fetch a single file per version. Read at start-up. */
export const styleSheet = joinStyleSheets(parts);
/** The script of all pages. Every page works without it. */
export const script = readFileSync(join(folder, 'page.js'), 'utf8');

/** The script of the page that sends a letter. It works without it. */
export const sendScript = readFileSync(join(folder, 'send.js'), 'utf8');

/** The sound of a wrong scan. */
export const wrongSound = makeTone({ hertz: 180, seconds: 0.35 });

const versionOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex').slice(0, 12);

/** The paths contain a hash of the content, so browsers can cache them forever. */
export const styleSheetPath = `/assets/${versionOf(styleSheet)}.css`;
export const scriptPath = `/assets/${versionOf(script)}.js`;
export const sendScriptPath = `/assets/send-${versionOf(sendScript)}.js`;
export const wrongSoundPath = `/assets/${versionOf(wrongSound)}.wav`;

/** Returns a handler that sends a file. Files change only with a new version of the service. */
export function sendFile(name: string, root: string): RequestHandler {
  return (_request, response, next) => {
    response.set('Cache-Control', 'public, max-age=3600');
    response.sendFile(name, { root, cacheControl: false }, (error) => error && next(error));
  };
}
