import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { endpointOf } from '../../../layer/client/endpoint';

const { endpointProvider } = new DynamoDBClient({ region: 'eu-west-1' }).config;

const REGIONS = [
  'eu-west-1',
  'us-east-1',
  'ap-southeast-2',
  'cn-north-1',
  'cn-northwest-1',
  'us-gov-west-1',
  'us-gov-east-1',
  'eusc-de-east-1',
  'us-iso-east-1',
  'us-isob-east-1',
  'eu-isoe-west-1',
  'us-isof-south-1',
];
const FLAGS = [false, true];
const cases = REGIONS.flatMap((region) =>
  FLAGS.flatMap((fips) => FLAGS.map((dualStack) => ({ region, fips, dualStack }))),
);

it.each(cases)('is where the SDK finds it: $region, FIPS $fips, dual-stack $dualStack', (each) => {
  const { region, fips, dualStack } = each;
  const { url } = endpointProvider({ Region: region, UseFIPS: fips, UseDualStack: dualStack });
  const env = { AWS_USE_FIPS_ENDPOINT: String(fips), AWS_USE_DUALSTACK_ENDPOINT: String(dualStack) };
  expect(endpointOf(region, env).href).toBe(url.href);
});

it.each([
  [{ AWS_ENDPOINT_URL: 'http://a' }, 'http://a/'],
  [{ AWS_ENDPOINT_URL: 'http://a', AWS_ENDPOINT_URL_DYNAMODB: 'http://b:1/c' }, 'http://b:1/c'],
  [
    { AWS_ENDPOINT_URL: 'http://a', AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' },
    'https://dynamodb.eu-west-1.amazonaws.com/',
  ],
])('with %j is %s', (env, href) => {
  expect(endpointOf('eu-west-1', env).href).toBe(href);
});

it.each(['AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT'])('refuses %s with an endpoint', (flag) => {
  expect(() => endpointOf('eu-west-1', { AWS_ENDPOINT_URL: 'http://a', [flag]: 'true' })).toThrow(
    /Unset one/,
  );
});
