/** Makes a thumbnail of each version of a picture that is put into the bucket. */
import type { S3EventRecord } from 'aws-lambda';
import { eventHandler, keyFor } from '/opt/nodejs/index.mjs';
import { storeThumbnail } from './store-thumbnail';

export const handler = eventHandler(
  { key: (record: S3EventRecord) => keyFor.s3('thumbnail', record) },
  storeThumbnail,
);
