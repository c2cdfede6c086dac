import type { Request } from 'express';
import { isLanguage, type Language, languages } from '#common/languages.ts';

/** Splits a path into its language, or null, and the rest. */
export function splitPath(path: string): { language: Language | null; path: string } {
  const [, segment, rest] = /^\/([^/]*)(\/.*)?$/.exec(path) ?? [];
  return isLanguage(segment) ? { language: segment, path: rest ?? '/' } : { language: null, path };
}

/** Returns the preferred supported language of the browser. English when there is none. */
export function readAcceptedLanguage(request: Request): Language {
  const accepted = request.acceptsLanguages([...languages]);
  return accepted !== false && isLanguage(accepted) ? accepted : 'en';
}
