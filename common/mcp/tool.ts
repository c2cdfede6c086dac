import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Mode, modes } from '#common/modes.ts';
import type { ApiCall } from './api-call.ts';
import type { QuoteTokens } from './quote-tokens.ts';

/** A picture as base64. */
export type Picture = { data: string; mimeType: string };

/** The picture of page 1 that a check of files drew, and a URL of it that the API signed. */
export type OverlayToLoad = { preflightId: string; url: string };

/** What a tool works with: the API as one caller. */
export type ToolContext = {
  call: ApiCall;
  /** The mode of the caller's credential. */
  mode: Mode;
  quotes: QuoteTokens;
  /** Loads a picture; null when it cannot be loaded. */
  loadPicture(overlay: OverlayToLoad, signal: AbortSignal): Promise<Picture | null>;
  /** Fires when the caller has cancelled. */
  signal: AbortSignal;
  /** Reports a bug in a tool. */
  reportBug(error: unknown): void;
};

/** `summary` is one sentence of ours, without text from documents or addresses. `data` must fit the tool's output. */
export type ToolAnswer = { summary: string; data: unknown; picture?: Picture | null };

/** All four hints are stated: the defaults of the protocol are those of a destructive tool. */
type Annotations = Required<Omit<ToolAnnotations, 'title'>>;

type Fields = z.ZodRawShape;

export type Tool<In extends Fields = Fields, Out extends Fields = Fields> = {
  name: string;
  title: string;
  /** For the model: what the tool does, when to use it, and what follows. */
  description: string;
  annotations: Annotations;
  /** `test`: not offered to live credentials. */
  mode?: 'test';
  input: z.ZodObject<In>;
  /** Open for further fields, because the API may add some. */
  output: z.ZodObject<Out>;
  run(input: z.output<z.ZodObject<In>>, context: ToolContext): Promise<ToolAnswer>;
};

/** A tool with its types erased. */
export type AnyTool = Omit<Tool, 'run'> & {
  run(input: never, context: ToolContext): Promise<ToolAnswer>;
};

type Declaration<In extends Fields, Out extends Fields> = Omit<Tool<In, Out>, 'input' | 'output'> & {
  input: In;
  output: Out;
};

/** Declares a tool. Unknown arguments are refused, because a misspelt one could cost money. */
export function defineTool<In extends Fields, Out extends Fields>(declaration: Declaration<In, Out>): AnyTool {
  const { input, output, ...rest } = declaration;
  const mode = z.enum(modes).describe('`test`: nothing is printed or paid with real money.');
  return { ...rest, input: z.strictObject(input), output: z.looseObject({ mode, ...output }) };
}

/** For tools that change nothing. */
export const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** For tools that add something, each time they are called. */
export const adds: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
