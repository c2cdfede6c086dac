import { createOpenApiDocument } from './openapi.ts';
import { routes } from './routes/index.ts';

/** Prints the document without starting anything, for tools; the arguments are the addresses that it names. */
const [baseUrl = 'https://api.example.com', authUrl = 'https://app.example.com'] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(createOpenApiDocument({ routes, baseUrl, authUrl }), null, 2)}\n`);
