import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CodeBlock {
  /** Page and line, as an editor opens them. */
  at: string;
  language: string;
  code: string;
}

export const root = join(import.meta.dirname, '../..');

/** What a reader may copy from: the README, the guides, and what stands beside each example. */
export const pages: string[] = globSync(['*.md', 'docs/**/*.md', 'examples/*/*.md', '.github/**/*.md'], {
  cwd: root,
}).sort();

/** The fenced blocks of all pages, those within a list without its indentation. */
export function codeBlocks(...languages: string[]): CodeBlock[] {
  return pages.flatMap(allOf).filter(({ language }) => languages.includes(language));
}

/** The code of those of one page, in order. */
export const blocksOf = (page: string, language: string): string[] =>
  codeBlocks(language).flatMap(({ at, code }) => (at.startsWith(`${page}:`) ? [code] : []));

/** The languages that are used. A block without one is a drawing or an output. */
export const languages = (): Set<string> => new Set(pages.flatMap(allOf).map(({ language }) => language));

function allOf(page: string): CodeBlock[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const [, indent = '', language = '', code = ''] = match;
    return {
      at: `${page}:${text.slice(0, match.index).split('\n').length}`,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    };
  });
}
