import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { goTool } from '../../scripts/go-tools';
import { root } from './packed';

const workflows = globSync('.github/workflows/*.yml', { cwd: root });

it('there are two', () => {
  expect(workflows.map((path) => path.split('/').at(-1)).sort()).toEqual(['ci.yml', 'release.yml']);
});

it('actionlint finds nothing in them', async () => {
  const actionlint = await goTool('actionlint');
  // Its checks of shell scripts are those of programs that a machine may have or not.
  const { stdout } = await execa(actionlint, ['-shellcheck=', '-pyflakes='], { cwd: root, reject: false });
  expect(stdout).toBe('');
}, 300_000);

describe.each(workflows)('%s', (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

  it('names actions by commit, with the version that it is', () => {
    const used = all(/^ *(?:- )?uses: (.*)$/gm);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) {
      expect(action).toMatch(
        /^(\.\/\.github\/workflows\/\w+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/,
      );
    }
  });

  it('begins with rights to read, and leaves no token behind', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    expect(all(/(actions\/checkout)@/g)).toHaveLength(all(/(persist-credentials): false/g).length);
  });

  it('calls what there is', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const script of all(/npm run ([\w:]+)/g)) {
      expect(scripts).toHaveProperty([script]);
    }
    for (const file of all(/(?:^| )(\.ci\/\w+|[\w/-]+\/(?:package-lock\.json|go\.(?:mod|sum)))$/gm)) {
      expect([file, existsSync(join(root, file))]).toEqual([file, true]);
    }
  });
});
