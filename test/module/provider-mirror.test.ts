import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdsProvider, linkMirror, mirrorProgram, type Version } from '../../scripts/provider-mirror';

const isVersion6 = ([major]: Version) => major === 6;
let folder: string;
let mirror: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mirror-'));
  mirror = join(folder, 'mirror');
});

afterEach(() => rmSync(folder, { recursive: true }));

it('links the versions that are wanted, in both layouts, as another registry’s', () => {
  const from = join(folder, 'found/registry.terraform.io');
  const archive = 'terraform-provider-aws_6.2.0_linux_amd64.zip';
  mkdirSync(join(from, 'hashicorp/aws/5.100.0/linux_amd64'), { recursive: true });
  mkdirSync(join(from, 'hashicorp/aws/6.1.0/linux_amd64'), { recursive: true });
  writeFileSync(join(from, 'hashicorp/aws', archive), 'packed');

  linkMirror(mirror, 'registry.opentofu.org', from, isVersion6);

  const linked = join(mirror, 'registry.opentofu.org/hashicorp/aws');
  expect(readdirSync(linked).sort()).toEqual(['6.1.0', archive]);
  expect(lstatSync(join(linked, '6.1.0')).isSymbolicLink()).toBe(false);
  expect(readdirSync(join(linked, '6.1.0'))).toEqual(['linux_amd64']);
  expect(statSync(join(linked, '6.1.0/linux_amd64')).isDirectory()).toBe(true);
  expect(readFileSync(join(linked, archive), 'utf8')).toBe('packed');
});

it('holds a program that was built here as the version that it is, and nothing that was there before', () => {
  const program = join(folder, 'terraform-provider-aws');
  writeFileSync(program, 'program');
  mkdirSync(join(mirror, 'registry.terraform.io/hashicorp/aws/6.0.0'), { recursive: true });

  mirrorProgram(mirror, 'registry.terraform.io', program, '6.48.0', 'linux_amd64');

  const registry = join(mirror, 'registry.terraform.io');
  const unpacked = 'hashicorp/aws/6.48.0/linux_amd64/terraform-provider-aws_v6.48.0';
  expect(readFileSync(join(registry, unpacked), 'utf8')).toBe('program');
  expect(readdirSync(join(registry, 'hashicorp/aws'))).toEqual(['6.48.0']);
  expect(holdsProvider(registry, isVersion6)).toBe(true);
  expect(holdsProvider(registry, ([major]) => major === 5)).toBe(false);
});
