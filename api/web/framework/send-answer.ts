import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { sendStream } from '#api/send-stream.ts';
import type { Cookies } from '#api/web/visit/cookies.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { layout } from '../design/layout.ts';
import type { Answer, Download } from './answer.ts';
import { pagePolicy } from './security-headers.ts';

export type SendOptions = {
  visit: Visit;
  request: Request;
  response: Response;
  cookies: Cookies;
  /** Overrides the status of the view when its form was refused. */
  status?: number;
  headers?: Record<string, string>;
};

/** Sends the result of a handler: a page in its layout, a redirect with status 303, or a file. */
export async function sendAnswer(answer: Answer, options: SendOptions): Promise<void> {
  const { visit, request, response, cookies, status, headers = {} } = options;
  if (answer.kind === 'download') return await sendFile(answer, request, response);
  const { session } = answer;
  if (session && 'end' in session) cookies.endSession(response);
  else if (session && 'remember' in session) cookies.rememberDevice(request, response, session.remember);
  else if (session) {
    cookies.setSession(response, session.begin);
    cookies.rememberDevice(request, response, session.email);
  }
  if (answer.kind === 'redirect') return response.redirect(303, answer.location);

  response.set({ ...answer.headers, ...headers, 'Content-Language': visit.language, Vary: 'Accept-Language, Cookie' });
  if (answer.formActionOrigins.length > 0) {
    response.set('Content-Security-Policy', pagePolicy({ formActionOrigins: answer.formActionOrigins }));
  }
  response
    .status(status ?? answer.status)
    .type('html')
    .send(String(await layout(visit, answer)));
}

async function sendFile(file: Download, request: Request, response: Response): Promise<void> {
  const { contentType, filename, body } = file;
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  if (!isWhole && !(body instanceof Readable)) {
    return await sendStream(request, response, { contentType, filename: filename ?? undefined, chunks: body });
  }
  response.type(contentType);
  if (filename !== null) response.attachment(filename).type(contentType);
  if (isWhole) response.send(body);
  else await pipeline(body, response);
}
