import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hasPython, spawn } from '../../../support/programs.js';
import { type FakeS3, KEYS, startFakeS3 } from '../../../support/servers/s3/fakeS3.js';

/*
 * The fake server against the client of AWS, boto3: it signs, splits and reads replies on its own, so what both agree
 * on is the protocol, not a mistake of ours. It stores, lists and reads objects, uploads one in parts, and raises the
 * errors that S3 documents.
 */

const hasBoto3 = hasPython('import boto3');

const SCRIPT = `
import boto3, hashlib, io, json, sys
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError

endpoint, key_id, secret, bucket = sys.argv[1:]
def client(secret=secret, region='us-east-1', key_id=key_id):
    return boto3.client('s3', endpoint_url=endpoint, region_name=region, aws_access_key_id=key_id,
        aws_secret_access_key=secret, config=Config(signature_version='s3v4', retries={'max_attempts': 0},
        s3={'addressing_style': 'path'}))

def code(run):
    try:
        run()
        return 'none'
    except ClientError as error:
        return error.response['Error']['Code']

s3 = client()
small = b'one\\ntwo\\n'
put = s3.put_object(Bucket=bucket, Key="a b/\\u00fc+(1)'*.log", Body=small, StorageClass='STANDARD_IA',
    Metadata={'source': 'spate  lab'}, ContentMD5=__import__('base64').b64encode(hashlib.md5(small).digest()).decode())
large = bytes(range(256)) * (12 * 4096)
s3.upload_fileobj(io.BytesIO(large), bucket, 'large',
    Config=TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20))
upload = s3.create_multipart_upload(Bucket=bucket, Key='left')['UploadId']
part = s3.upload_part(Bucket=bucket, Key='left', UploadId=upload, PartNumber=2, Body=b'small')
later = s3.upload_part(Bucket=bucket, Key='left', UploadId=upload, PartNumber=3, Body=b'last')
def complete(*parts):
    return lambda: s3.complete_multipart_upload(Bucket=bucket, Key='left', UploadId=upload,
        MultipartUpload={'Parts': [{'PartNumber': number, 'ETag': tag} for number, tag in parts]})
listed = s3.list_parts(Bucket=bucket, Key='left', UploadId=upload)['Parts']
result = {
    'etag': put['ETag'],
    'small': s3.get_object(Bucket=bucket, Key="a b/\\u00fc+(1)'*.log")['Body'].read() == small,
    'large': s3.get_object(Bucket=bucket, Key='large')['Body'].read() == large,
    'large_etag': s3.get_object(Bucket=bucket, Key='large')['ETag'],
    'keys': [one['Key'] for one in s3.list_objects_v2(Bucket=bucket)['Contents']],
    'parts': [[one['PartNumber'], one['Size']] for one in listed],
    'uploads': len(s3.list_multipart_uploads(Bucket=bucket)['Uploads']),
    'errors': [
        code(complete((2, part['ETag']), (3, later['ETag']))),
        code(complete((3, later['ETag']), (2, part['ETag']))),
        code(complete((1, part['ETag']))),
        code(lambda: client(secret='wrong').list_objects_v2(Bucket=bucket)),
        code(lambda: client(key_id='AKIAOTHER').list_objects_v2(Bucket=bucket)),
        code(lambda: s3.list_objects_v2(Bucket='another')),
        code(lambda: s3.get_object(Bucket=bucket, Key='nothing')),
    ],
    'aborted': s3.abort_multipart_upload(Bucket=bucket, Key='left', UploadId=upload)['ResponseMetadata']['HTTPStatusCode'],
    'again': code(lambda: s3.abort_multipart_upload(Bucket=bucket, Key='left', UploadId=upload)),
}
print(json.dumps(result))
`;

(hasBoto3 ? describe : describe.skip)('the fake server (needs boto3: apt-get install python3-boto3)', () => {
  let server: FakeS3;
  beforeAll(async () => {
    server = await startFakeS3();
  });
  afterAll(() => server.remove());

  test('speaks with the client of AWS', async () => {
    const { bucket, access_key_id, secret_access_key } = KEYS;
    const endpoint = `http://127.0.0.1:${server.port}`;
    const child = spawn('python3', ['-c', SCRIPT, endpoint, access_key_id, secret_access_key, bucket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (data: Buffer) => {
      printed += String(data);
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(JSON.parse(printed)).toEqual({
      etag: '"2094b601daac3d68f5aed51d3c20f7cd"',
      small: true,
      large: true,
      large_etag: expect.stringMatching(/^"[0-9a-f]{32}-3"$/),
      keys: ["a b/ü+(1)'*.log", 'large'],
      parts: [
        [2, 5],
        [3, 4],
      ],
      uploads: 1,
      errors: [
        'EntityTooSmall',
        'InvalidPartOrder',
        'InvalidPart',
        'SignatureDoesNotMatch',
        'InvalidAccessKeyId',
        'NoSuchBucket',
        'NoSuchKey',
      ],
      aborted: 204,
      again: 'NoSuchUpload',
    });
  });
});
