import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { languages, pages, root } from './code-blocks';

const text = (page: string) => readFileSync(join(root, page), 'utf8');

/** The anchors of a page, as GitHub makes them of its headings. */
const anchors = (page: string) =>
  [...text(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

const links = pages.flatMap((page) =>
  [...text(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => [page, link] as const),
);

it.each(links)('%s leads to %s', (page, link) => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  expect(existsSync(join(root, target))).toBe(true);
  if (anchor !== undefined) expect(anchors(target)).toContain(anchor);
});

it.each(pages.filter((page) => page.startsWith('docs/')))('%s can be reached from the README', (page) => {
  const reached = new Set(['README.md']);
  for (const from of reached) {
    for (const [page, link] of links) {
      if (page === from && link.endsWith('.md')) reached.add(join(dirname(page), link));
    }
  }
  expect(reached).toContain(page);
});

it.each(pages)('%s names scripts that exist', (page) => {
  const { scripts } = JSON.parse(text('package.json'));
  const named = [...text(page).matchAll(/npm run (?:--silent |-s )?([\w:-]+)/g)].map(
    ([, name]) => name as string,
  );
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});

it('every language of a code block has a test', () => {
  expect([...languages()].sort()).toEqual(['', 'hcl', 'json', 'mermaid', 'sh', 'ts']);
});
