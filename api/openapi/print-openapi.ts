import { routes } from '../routes/index.ts';
import { createOpenApiDocument } from './openapi-document.ts';

/** Prints the document for tools, without starting a server. The arguments are the base URLs of API and web host. */
const [baseUrl = 'https://api.example.com', authUrl = 'https://app.example.com'] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(createOpenApiDocument({ routes, baseUrl, authUrl }), null, 2)}\n`);
