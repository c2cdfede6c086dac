import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';
import { errorCodes } from '#common/errors.ts';
import { failureCodes } from '#common/mail-jobs/model/failure.ts';
import { createOpenApiDocument, type OpenApiOptions } from '../openapi/openapi-document.ts';
import { readChangelog, writeChangelog } from './changelog/write-changelog.ts';
import { describeInstallation } from './client-packages.ts';
import { errorPage } from './errors/error-pages.ts';
import { fieldTable } from './field-table.ts';
import { findingSections, schemeTable } from './finding-sections.ts';
import { limitTables, type ShownSettings } from './limit-tables.ts';
import { code } from './markdown-table.ts';
import { requestTables } from './request-tables.ts';
import { sandboxTables } from './sandbox-tables.ts';

/** The guides in reading order. Each is a file in `guides/` and a page below `/docs/guides`. */
const guideNames = [
  'sending',
  'sandbox',
  'paper',
  'templates',
  'bulk',
  'conventions',
  'webhooks',
  'wallet',
  'reports',
  'oauth',
  'errors',
  'limits',
  'account',
  'decisions',
] as const;

const examples = join(import.meta.dirname, '../../scripts/examples');

/** A heading of a guide with the Markdown below it, up to the next heading. */
export type Section = { heading: string; depth: number; anchor: string; markdown: string };

export type Guide = {
  name: string;
  /** With its placeholders filled in. */
  markdown: string;
  title: string;
  /** The first paragraph. */
  summary: string;
  tokens: Token[];
  /** The first section is the whole introduction, below the title. */
  sections: Section[];
};

export type GuideOptions = OpenApiOptions & {
  settings: ShownSettings;
  /** Of the built packages of the clients. By default that of the image. */
  clientsFolder?: string;
};

/** Reads all guides and fills in their placeholders. The last is the changelog. Throws for an unknown placeholder. */
export function readGuides(options: GuideOptions): Guide[] {
  const texts = placeholders(options);
  const written = guideNames.map((name) => {
    const markdown = readFileSync(join(import.meta.dirname, 'guides', `${name}.md`), 'utf8');
    return parseGuide(name, fillIn(markdown, texts));
  });
  return [...written, parseGuide('changelog', writeChangelog(readChangelog(), options.baseUrl))];
}

/** Reads the pages of all errors, each as a guide. */
export function readErrorPages({ routes }: Pick<GuideOptions, 'routes'>): Guide[] {
  return errorCodes.map((code) => parseGuide(code, errorPage(code, routes)));
}

function placeholders({ routes, baseUrl, authUrl, settings, clientsFolder }: GuideOptions): Record<string, string> {
  const document = createOpenApiDocument({ routes, baseUrl, authUrl });
  return {
    ...requestTables(routes, document),
    ...limitTables(settings),
    ...findingSections(),
    ...schemeTable(),
    ...sandboxTables(),
    'field-limits': fieldTable(routes, document),
    failures: failureCodes.map(code).join(', '),
    'install-clients': describeInstallation(baseUrl, clientsFolder),
    'api-url': baseUrl,
    'web-url': authUrl,
    ...sampleTexts(),
    'receiver.mjs': program('js', 'receiver.mjs'),
    'receiver.py': program('python', 'receiver.py'),
    'receiver.php': program('php', 'receiver.php'),
  };
}

/** Languages of the sample programs: the words of their code blocks, and the extension of their files. */
const sampleLanguages = {
  typescript: { title: 'TypeScript', extension: 'ts' },
  python: { title: 'Python', extension: 'py' },
  php: { title: 'PHP', extension: 'php' },
};

/** Returns the sample programs of each task, as blocks that a page shows folded, by `sample.` and the task. */
function sampleTexts(): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [language, { title, extension }] of Object.entries(sampleLanguages)) {
    for (const file of readdirSync(join(examples, language)).filter((each) => each.endsWith(`.${extension}`))) {
      const name = `sample.${basename(file, `.${extension}`)}`;
      const block = `\`\`\`${language} folded ${title}\n${readFileSync(join(examples, language, file), 'utf8')}\`\`\``;
      texts[name] = name in texts ? `${texts[name]}\n\n${block}` : block;
    }
  }
  return texts;
}

/** Returns an example program as a code block. */
function program(language: string, file: string): string {
  return `\`\`\`${language}\n${readFileSync(join(examples, 'receivers', file), 'utf8')}\`\`\``;
}

/** Replaces each `{{name}}` by its text. Throws for an unknown name. */
export function fillIn(markdown: string, texts: Record<string, string>): string {
  return markdown.replaceAll(/\{\{([\w.-]+)\}\}/g, (placeholder, name: string) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`There is no text for ${placeholder} of the guides`);
    return text;
  });
}

function parseGuide(name: string, markdown: string): Guide {
  const tokens = lexer(markdown);
  const sections: Section[] = [];
  for (const token of tokens) {
    if (isHeading(token)) {
      const anchor = anchorOf(token.text, sections);
      sections.push({ heading: plainText(token.text), depth: token.depth, anchor, markdown: '' });
    } else {
      const section = sections.at(-1);
      if (!section) throw new Error(`The guide ${name} does not start with a heading`);
      section.markdown += token.raw;
    }
  }
  const summary = tokens.find(({ type }) => type === 'paragraph')?.raw ?? '';
  return { name, markdown, title: sections[0]?.heading ?? name, summary: plainText(summary), tokens, sections };
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

/** Returns the anchor that GitHub gives a heading, so links work there too. */
function anchorOf(heading: string, before: readonly Section[]): string {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
  const repeats = before.filter(({ heading: earlier }) => earlier === plainText(heading)).length;
  return repeats === 0 ? slug : `${slug}-${repeats}`;
}

/** Returns Markdown as text on one line, without the marks. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^```.*$|^[|\s:-]+$/gm, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<(https?:[^>]*)>/g, '$1')
    .replaceAll(/`|\*\*/g, '')
    .replaceAll(/\||^[-\d]+[.]? /gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
