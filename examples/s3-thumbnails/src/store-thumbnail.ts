import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3EventRecord } from 'aws-lambda';
import type { Run } from '/opt/nodejs/index.mjs';
import { decodePicture, encodePicture } from './picture';
import { shrink } from './shrink';

const s3 = new S3Client();

const LONGEST_SIDE = 64;

/**
 * The side effect: one object for each version of a picture. Events may come in another order than the versions, so none
 * overwrites the thumbnail of another.
 *
 * @returns the thumbnail's key, so that a repetition of the event is answered the same.
 * @throws where the object is no picture. No retry mends that: the event ends where `on_failure` says.
 */
export async function storeThumbnail(
  { s3: { bucket, object } }: S3EventRecord,
  { signal }: Run,
): Promise<{ key: string }> {
  const source = {
    Bucket: bucket.name,
    // Notifications have it as a form would send it.
    Key: decodeURIComponent(object.key.replaceAll('+', ' ')),
    VersionId: object.versionId,
  };
  const { Body } = await s3.send(new GetObjectCommand(source), { abortSignal: signal });
  const picture = decodePicture((await Body?.transformToByteArray()) ?? new Uint8Array());
  const key = `${source.Key}/${source.VersionId}.ppm`;
  await s3.send(
    new PutObjectCommand({
      Bucket: process.env.THUMBNAILS_BUCKET,
      Key: key,
      Body: encodePicture(shrink(picture, LONGEST_SIDE)),
      ContentType: 'image/x-portable-pixmap',
    }),
    { abortSignal: signal },
  );
  return { key };
}
