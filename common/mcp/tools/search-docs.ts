import { z } from 'zod';
import { readAnswer } from '../api-call.ts';
import { line } from '../fields.schema.ts';
import { defineTool, reads } from '../tool.ts';

const Section = z.looseObject({ guide: z.string(), heading: z.string(), url: z.string(), markdown: z.string() });
const output = { sections: z.array(Section) };

export const searchDocs = defineTool({
  name: 'search_docs',
  title: 'Search the guides',
  description:
    'Searches the guides of the service for sections that contain all the given words: services, prices, statuses, limits, errors, paper and envelopes. Give one to three words in English, such as "registered window".',
  annotations: reads,
  input: { query: line(100, 'One to three words.') },
  output,

  async run({ query }, { call }) {
    const data = await call('GET', '/docs/guides', { query: { q: query } });
    const { sections } = readAnswer(z.looseObject(output), data);
    const hint = sections.length === 0 ? ' Try fewer or other words.' : '';
    return { summary: `${sections.length} sections.${hint}`, data };
  },
});
