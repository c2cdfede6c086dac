import type { Request } from 'express';
import { isLanguage, type Language, languages } from '../../common/languages.ts';

/** The segment of a path that names a language, or null, and the path without it. */
export function splitPath(path: string): { language: Language | null; path: string } {
  const [, segment, rest] = /^\/([^/]*)(\/.*)?$/.exec(path) ?? [];
  return isLanguage(segment) ? { language: segment, path: rest ?? '/' } : { language: null, path };
}

/** What the browser asks for, in its order of preference; English when we have none of it. */
export function readAcceptedLanguage(request: Request): Language {
  const accepted = request.acceptsLanguages([...languages]);
  return accepted !== false && isLanguage(accepted) ? accepted : 'en';
}
