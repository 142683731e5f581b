import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * The declarations that a file's exports need, in one: many small files take twice the room in a zip.
 * What a file keeps to itself gets another name where another file has the same one.
 *
 * @throws Error for two exports of one name, and for what is imported or exported under another name.
 */
export function bundledDeclarations(entry: string): string {
  const paths = new Set([entry]);
  const exports: string[] = [];
  const files: { text: string; own: Map<string, boolean> }[] = [];
  for (const path of paths) {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    const declarations: string[] = [];
    const own = new Map<string, boolean>();
    for (const statement of file.statements) {
      const text = statement.getText();
      for (const specifier of specifiers(statement)) paths.add(join(dirname(path), `${specifier}.d.ts`));
      if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
        if (/\*|\w as /.test(text)) throw new Error(`${path} renames in "${text}". Use one name throughout.`);
        if (path === entry) exports.push(text.replace(/ from '[^']*'/, ''));
        continue;
      }
      for (const name of namesOf(statement)) own.set(name, text.startsWith('export '));
      const documented = statement.getFullText().trim();
      declarations.push(documented.replace(/^export (?=\w)/m, '').replace(/import\("[^"]*"\)\./g, ''));
    }
    files.push({ text: declarations.join('\n'), own });
  }

  const taken = new Set<string>();
  for (const { own } of files) {
    for (const [name, exported] of own) {
      if (exported && taken.has(name)) throw new Error(`Two files export ${name}. Rename one of them.`);
      if (exported) taken.add(name);
    }
  }
  const texts = files.map(({ text, own }) => {
    const names = [...own].filter(([, exported]) => !exported).map(([name]) => name);
    return names.reduce((renamed, name) => {
      const other = taken.has(name) ? `${name}${taken.size}` : name;
      taken.add(other);
      return renamed.replace(new RegExp(`\\b${name}\\b`, 'g'), other);
    }, text);
  });
  return `${[...exports, ...texts].join('\n')}\n`;
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.DeclarationStatement;
  return name ? [name.getText()] : [];
}

/** Paths of the modules that a statement names: in `from '…'`, and in types, in `import('…')`. */
function specifiers(statement: ts.Statement): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (
      ts.isStringLiteral(node) &&
      (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent))
    ) {
      found.push(node.text);
    }
    if (ts.isImportTypeNode(node))
      found.push(((node.argument as ts.LiteralTypeNode).literal as ts.StringLiteral).text);
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}
