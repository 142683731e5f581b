import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The licences of the packages that bundled files are from: what most of them ask of whoever hands them on. */
export function licencesOf(files: string[]): string {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const packages = [...new Set(folders)].filter((folder) => folder !== undefined).sort();
  // Most share a text, which is then given once.
  const byText = new Map<string, string[]>();
  for (const { name, text } of packages.map(licenceOf)) byText.set(text, [...(byText.get(text) ?? []), name]);
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(folder: string): { name: string; text: string } {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  if (license === undefined && files.length === 0) {
    throw new Error(`${name} ${version} is bundled, but it has no licence. Bundle another package.`);
  }
  const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  return { name: `${name} ${version}`, text: [`Licence: ${license}`, ...texts].join('\n\n') };
}
