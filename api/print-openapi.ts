import { createOpenApiDocument } from './openapi.ts';
import { routes } from './routes/index.ts';

/** Prints the document without starting anything, for tools; the argument is the address that it names. */
const [baseUrl = 'https://api.example.com'] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(createOpenApiDocument({ routes, baseUrl }), null, 2)}\n`);
