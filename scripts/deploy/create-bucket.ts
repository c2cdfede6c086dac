import { readConfig } from '#common/config/config.ts';
import { createObjectStoreClient } from '#common/platform/s3/s3.ts';
import { OperatorError } from '../program/operator-error.ts';
import { runProgram } from '../program/run-program.ts';

/** Creates the bucket if it does not exist. Safe to repeat. */
async function createBucket(): Promise<number> {
  const { s3 } = readConfig(process.env);
  const store = createObjectStoreClient(s3);
  try {
    await store.ensureBucket();
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `${cause} Check S3_ENDPOINT (${s3.endpoint}), S3_BUCKET (${s3.bucket}), S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`,
    );
  } finally {
    store.close();
  }
  process.stdout.write(`The bucket ${s3.bucket} exists.\n`);
  return 0;
}

await runProgram(createBucket);
