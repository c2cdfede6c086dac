import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * The object store's floor: pipes a request body into a file and answers 200, without any check.
 * `node bare-upload-server.ts <port> <folder>` runs until SIGTERM.
 */
const [port = '0', folder = '.'] = process.argv.slice(2);

const server = createServer(async (request, response) => {
  await pipeline(request, createWriteStream(join(folder, 'upload')));
  response.end();
});
server.listen(Number(port), '127.0.0.1');
