import type { Response } from 'express';
import type { Markup } from './views/layout.ts';

/** Answers with a page. */
export async function sendPage(response: Response, status: number, page: Markup): Promise<void> {
  response
    .status(status)
    .type('html')
    .send(String(await page));
}
