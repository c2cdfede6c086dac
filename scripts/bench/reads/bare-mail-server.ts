import express from 'express';
import { mongo } from 'mongoose';

/**
 * The floor of the API's reads: bare Express and one findOne by id with the MongoDB driver. It has no authentication,
 * rate limit, validation or log. `node bare-mail-server.ts <port> <database uri>` runs until SIGTERM.
 */
const [port = '0', url = ''] = process.argv.slice(2);

const client = await new mongo.MongoClient(url, { maxPoolSize: 50 }).connect();
const jobs = client.db().collection<{ _id: string }>('mail_jobs');
const app = express();
app.get('/v1/mails/:id', async (request, response) => {
  response.json(await jobs.findOne({ _id: request.params.id }));
});
app.listen(Number(port), '127.0.0.1');
