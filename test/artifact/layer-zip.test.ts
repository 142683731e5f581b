import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';

const root = join(import.meta.dirname, '../..');

const layer = () => readFileSync(join(root, 'dist/layer.zip'));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

it('holds the bundle, the SDK’s commands, a thin ES module, the declarations and the manifest, and nothing else', () => {
  const files = unzipSync(layer());
  expect(Object.keys(files).filter((name) => !name.endsWith('.d.ts'))).toEqual([
    'nodejs/THIRD-PARTY-LICENSES',
    'nodejs/index.d.mts',
    'nodejs/index.js',
    'nodejs/index.mjs',
    'nodejs/package.json',
    'nodejs/sdk-commands.js',
  ]);
  const declarations = Object.keys(files).filter((name) => name.endsWith('.d.ts'));
  expect(declarations).toContain('nodejs/index.d.ts');
  for (const name of declarations) {
    expect(Buffer.from(files[name] as Uint8Array).toString()).not.toMatch(/(from|import\() ?["'](?!\.)/);
  }
});

it('stays within its size', () => {
  const unzipped = Object.values(unzipSync(layer())).reduce((sum, file) => sum + file.byteLength, 0);
  expect(layer().byteLength).toBeLessThanOrEqual(80 * 1024);
  expect(unzipped).toBeLessThanOrEqual(250 * 1024);
});

it('has its entries sorted, at one time, readable by every user and executable by none', () => {
  const zip = layer();
  const entries = centralDirectory(zip);
  expect(entries.map(({ name }) => name)).toEqual(entries.map(({ name }) => name).sort());
  expect(new Set(entries.map(({ time }) => time))).toEqual(new Set([0x00210000]));
  expect(new Set(entries.map(({ mode }) => mode))).toEqual(new Set([0o100644]));
});

/** Names, DOS times and Unix modes as the zip's central directory has them (APPNOTE.TXT, 4.3.12). */
function centralDirectory(zip: Buffer) {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const entries: { name: string; time: number; mode: number }[] = [];
  let at = zip.readUInt32LE(end + 16);
  while (at < end) {
    const nameLength = zip.readUInt16LE(at + 28);
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameLength),
      time: zip.readUInt32LE(at + 12),
      mode: zip.readUInt32LE(at + 38) >>> 16,
    });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

describe('T1: a build in another folder, with other times, umask and time zone', () => {
  let elsewhere: string;

  beforeAll(() => {
    elsewhere = mkdtempSync(join(tmpdir(), 'another-checkout-'));
    for (const path of ['layer', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.declarations.json']) {
      cpSync(join(root, path), join(elsewhere, path), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(elsewhere, 'node_modules'));
  });

  afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

  it.each(['002', '022', '077'])('gives the same bytes under umask %s', (umask) => {
    utimesSync(join(elsewhere, 'layer/index.ts'), new Date(0), new Date(0));
    const command = `umask ${umask} && node_modules/.bin/tsx scripts/build.ts`;
    execFileSync('sh', ['-c', command], {
      cwd: elsewhere,
      env: { ...process.env, TZ: 'Pacific/Chatham', NODE_OPTIONS: '' },
      stdio: 'inherit',
    });
    expect(sha256(readFileSync(join(elsewhere, 'dist/layer.zip')))).toBe(sha256(layer()));
  });
});
