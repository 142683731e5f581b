import fc from 'fast-check';
import { keyFor, keyOf } from '../../layer';
import { ConfigurationError, InvalidKeyError } from '../../layer/errors';
import { eventBridgeEvent, s3Record, snsRecord } from '../events/async';
import { httpApiEvent } from '../events/http-api';
import { loadBalancerEvent } from '../events/http-load-balancer';
import { restApiEvent } from '../events/http-rest-api';
import { sqsRecord } from '../events/sqs';
import { dynamodbRecord, kinesisRecord } from '../events/streams';

const post = (key = '"k-1"', path = '/payments') =>
  httpApiEvent({ path, headers: { 'Idempotency-Key': key } });

it.each([
  [keyFor.sqs('charge', sqsRecord('{}')), 'charge#059f36b4-87a3-44ab-83d2-661975830a7d'],
  [keyFor.sns('mail', snsRecord('hello')), 'mail#95df01b4-ee98-5cb9-9903-4c221d41eb5e'],
  [keyFor.eventBridge('mail', eventBridgeEvent({})), 'mail#6a7e8feb-b491-4cf7-a9f1-bf3703467718'],
  [
    keyFor.kinesis('book', kinesisRecord('{}')),
    'book#arn:aws:kinesis:us-east-2:123456789012:stream/lambda-stream#shardId-000000000006:49590338271490256608559692538361571095921575989136588899',
  ],
  [
    keyFor.dynamodb('project', dynamodbRecord('101')),
    'project#arn:aws:dynamodb:us-east-2:123456789012:table/lambda-dynamodb-stream/stream/2016-11-18T12:09:36.000#c4ca4238a0b923820dcc509a6f75841',
  ],
  [
    keyFor.s3('thumbnail', s3Record()),
    'thumbnail#amzn-s3-demo-bucket#HappyFace.jpg#ObjectCreated:Put#096fKKXTRTtl3on89fVO.nfljtsv6qko',
  ],
  [
    keyFor.http('pay', post()),
    'pay#jwt iss=https://login.example.com sub=alice client_id=app#POST#/payments#k-1',
  ],
])('makes %s', (key, expected) => {
  expect(key).toBe(expected);
});

describe('keyFor.sqs', () => {
  it('is the same for each delivery of a message, whatever its receipt handle', () => {
    expect(keyFor.sqs('charge', sqsRecord('{}'))).toBe(keyFor.sqs('charge', sqsRecord('{}')));
  });
});

describe('keyFor.s3', () => {
  const keyOfObject = (...record: Parameters<typeof s3Record>) => keyFor.s3('t', s3Record(...record));

  it.each([[undefined], [null], [''], ['null']])('goes by sequencer where the version is %p', (versionId) => {
    expect(keyOfObject({ versionId: versionId as never })).toMatch(/#ObjectCreated:Put#0055AED6DCD90281E5$/);
  });

  it('tells apart what happens to an object', () => {
    const all = [
      keyOfObject(),
      keyOfObject({ key: 'other.jpg' }),
      keyOfObject({ versionId: 'other' }),
      keyOfObject({}, 'ObjectRemoved:Delete'),
      keyOfObject({ versionId: undefined as never }),
      keyOfObject({ versionId: undefined as never, sequencer: 'later' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('goes by sequencer for what a version can see again, and refuses it where there is none', () => {
    const tagged = (sequencer: string) => keyOfObject({ sequencer }, 'ObjectTagging:Put');
    expect(tagged('1')).not.toBe(tagged('2'));
    expect(() => tagged(undefined as never)).toThrow(InvalidKeyError);
    expect(() => tagged(undefined as never)).toThrow(
      /keyFor\.s3 was given a record without s3\.object\.sequencer/,
    );
  });

  it('has the object’s own name, which notifications encode', () => {
    expect(keyOfObject({ key: 'Gr%C3%BC%C3%9Fe+aus%2BRom/50%25%231.jpg' })).toContain(
      '#Grüße aus+Rom/50%25%231.jpg#',
    );
  });

  it('takes a name that nothing encoded as it is', () => {
    expect(keyOfObject({ key: '100% sure.jpg' })).toContain('#100%25 sure.jpg#');
  });

  it('takes any name that an object may have', () => {
    expect(keyOfObject({ key: 'null' })).toContain('#null#');
    expect(keyOfObject({ key: 'undefined/NaN.csv' })).toContain('#undefined/NaN.csv#');
  });

  it('has a hash of a name that is too long for a key', () => {
    const long = (end: string) => keyOfObject({ key: encodeURIComponent('€'.repeat(340) + end.repeat(180)) });
    expect(Buffer.byteLength(long('a'))).toBeLessThan(300);
    expect(long('a')).not.toBe(long('b'));
    // The longest name that is no longer than a key can take: 1,024 bytes, each of which a notification writes as three.
    expect(Buffer.byteLength(keyOfObject({ key: '%23'.repeat(512) }))).toBeLessThan(2048);
  });
});

describe('keyFor.http', () => {
  it('is of the caller, whom one can name oneself', () => {
    const event = loadBalancerEvent({ headers: { 'Idempotency-Key': 'k' } });
    expect(keyFor.http('pay', event, 'tenant 7')).toBe('pay#tenant 7#POST#/payments#k');
    expect(() => keyFor.http('pay', event)).toThrow(ConfigurationError);
    expect(() => keyFor.http('pay', event)).toThrow(/does not know who sent the request/);
  });

  it('is the same whichever payload brings the request', () => {
    const request = { headers: { 'idempotency-key': 'k' } };
    expect(keyFor.http('pay', restApiEvent(request), 'me')).toBe(
      keyFor.http('pay', httpApiEvent(request), 'me'),
    );
  });

  it.each([[[]], [['']], [['a', 'b']], [['"a']]])('refuses the header %p', (lines) => {
    const event = httpApiEvent({ headers: { 'Idempotency-Key': lines } });
    if (lines.length === 0) delete event.headers['idempotency-key'];
    expect(() => keyFor.http('pay', event)).toThrow(InvalidKeyError);
    expect(() => keyFor.http('pay', event)).toThrow(
      /keyFor\.http was given a record without one valid Idempotency-Key/,
    );
  });

  it('refuses what is no HTTP request', () => {
    expect(() => keyFor.http('pay', sqsRecord('{}') as never)).toThrow(/no HTTP request/);
  });

  it('has a hash of a long path', () => {
    expect(keyFor.http('pay', post('k', `/${'p'.repeat(3000)}`)).length).toBeLessThan(200);
  });
});

describe.each([
  ['sqs', ['messageId'], sqsRecord('{}')],
  ['sns', ['Sns', 'MessageId'], snsRecord('')],
  ['eventBridge', ['id'], eventBridgeEvent({})],
  ['kinesis', ['eventSourceARN'], kinesisRecord('')],
  ['kinesis', ['eventID'], kinesisRecord('')],
  ['dynamodb', ['eventSourceARN'], dynamodbRecord('')],
  ['dynamodb', ['eventID'], dynamodbRecord('')],
  ['s3', ['s3', 'bucket', 'name'], s3Record()],
  ['s3', ['s3', 'object', 'key'], s3Record()],
  ['s3', ['eventName'], s3Record()],
] as [keyof typeof keyFor, string[], object][])('keyFor.%s', (source, path, record) => {
  const key = keyFor[source] as (operation: string, record: unknown) => string;

  it.each([[undefined], [null], [''], [7]])(`refuses a record whose ${path.join('.')} is %p`, (value) => {
    const changed = structuredClone(record);
    const at = path
      .slice(0, -1)
      .reduce((inner, name) => (inner as Record<string, object>)[name] as object, changed);
    Object.assign(at, { [path.at(-1) as string]: value });
    expect(() => key('op', changed)).toThrow(InvalidKeyError);
    expect(() => key('op', changed)).toThrow(
      `keyFor.${source} was given a record without ${path.join('.')}.`,
    );
  });

  it.each([[undefined], [null], [7], [{}]])('refuses what is no record: %p', (record) => {
    expect(() => key('op', record)).toThrow(InvalidKeyError);
  });

  it.each([[undefined], [''], ['order-undefined']])(
    'refuses an operation without a name: %p',
    (operation) => {
      expect(() => key(operation as never, record)).toThrow(InvalidKeyError);
    },
  );

  it('does not meet the key of another operation', () => {
    expect(key('one', record)).not.toBe(key('other', record));
    expect(key('one#a', record)).not.toBe(key('one', record));
  });
});

it('never makes one key of two objects', () => {
  const name = fc.string({
    minLength: 1,
    maxLength: 4,
    unit: fc.constantFrom('#', '%', '+', ' ', '2', '3', 'a'),
  });
  fc.assert(
    fc.property(name, name, name, name, (a, b, x, y) => {
      const key = (bucket: string, object: string) =>
        keyFor.s3('t', {
          eventName: 'ObjectCreated:Put',
          s3: {
            bucket: { name: bucket },
            // As S3 writes it: https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
            object: { key: encodeURIComponent(object).replaceAll('%20', '+'), versionId: 'v' },
          },
        });
      if (a !== x || b !== y) expect(key(a, b)).not.toBe(key(x, y));
    }),
  );
});

it('keyOf takes a number for its digits', () => {
  expect(keyOf('order', 1042)).toBe(keyOf('order', '1042'));
});
