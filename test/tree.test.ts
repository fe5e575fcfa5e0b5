/** The rules that keep the tree readable hold, and each of them can fail. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { plainComments } from './support/comment-rules.ts'
import {
  bannedFileNames,
  commentSubjects,
  excusedFactories,
  fewOptionalMembers,
  flatFiles,
  folderReadmes,
  importForm,
  limitNames,
  namedPaths,
  oneJobContext,
  oneSchema,
  rootEntries,
  smallLib,
  type Tree,
  type TreeRule,
} from './support/tree-rules.ts'
import { wordsInLexicon } from './support/word-rules.ts'

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const paths = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: REPOSITORY,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(REPOSITORY, path)))
const tree: Tree = { paths, read: (path) => readFileSync(join(REPOSITORY, path), 'utf8') }

/** A tree as it is, with further files in it. */
const plant = (files: Readonly<Record<string, string>>): Tree => ({
  paths: [...new Set([...tree.paths, ...Object.keys(files)])],
  read: (path) => files[path] ?? tree.read(path),
})

const many = (count: number, path: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [path(index), '']))

const note = '// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods'
const long = (name: string) => `${note}\nexport function ${name}() {\n${'  work()\n'.repeat(110)}}\n`
const importing = (path: string) => `import { x } from '${path}'\n`
const architecture = namedPaths('ARCHITECTURE.md')

const RULES: readonly (readonly [name: string, rule: TreeRule, planted: Readonly<Record<string, string>>])[] = [
  ['the top holds only what is known', rootEntries, { 'hello world/hello': '' }],
  ['no file has a name that says nothing', bannedFileNames, { 'src/bridge/files/here.ts': '' }],
  [
    'at most eight files stand beside sub-folders',
    flatFiles,
    many(9, (index) => `src/bridge/files/planted-${index}.ts`),
  ],
  ['src/lib has at most 15 files', smallLib, many(16, (index) => `src/lib/planted-${index}.ts`)],
  ['a README names every file of its folder', folderReadmes, { 'src/lib/planted.ts': '' }],
  [
    'a README names no file that is gone',
    folderReadmes,
    { 'src/lib/README.md': `${tree.read('src/lib/README.md')}\n- \`gone.ts\`` },
  ],
  [
    'a README has at most 15 lines',
    folderReadmes,
    { 'src/lib/README.md': `${tree.read('src/lib/README.md')}${'\nmore'.repeat(15)}` },
  ],
  ['every larger folder has a README', folderReadmes, many(3, (index) => `src/planted/file-${index}.ts`)],
  [
    'ARCHITECTURE.md names what is there',
    architecture,
    { 'ARCHITECTURE.md': `${tree.read('ARCHITECTURE.md')}\n\`src/bridge/nowhere.ts\`` },
  ],
  ['the bridge has one job context', oneJobContext, { 'src/bridge/planted.ts': 'export interface AskRun {}' }],
  [
    'an adapter has at most ten optional members',
    fewOptionalMembers,
    {
      'src/bridge/port/adapter.ts': `export interface Adapter {\n${Object.keys(many(11, (index) => `  planted${index}?(): void\n`)).join('')}}\n`,
    },
  ],
  ['a comment begins with its subject', commentSubjects, { 'src/planted.ts': '/** What is kept of it. */' }],
  ['a comment of several lines does, too', commentSubjects, { 'src/planted.ts': '/**\n * What is kept of it.\n */' }],
  ...[
    'A rule without a row is none.',
    'A message of ours.',
    'All fields but for the last.',
    'The line stands in its file.',
    'A row beside the job.',
    'The job behind this one.',
    'A look holds for so long.',
    'The row is closed, and the job thereby.',
    'Old rows go; what is new stays.',
    'Undefined for what was not read.',
  ].map(
    (said) =>
      [`a comment is plain English, unlike “${said}”`, plainComments, { 'src/planted.ts': `/** ${said} */` }] as const,
  ),
  ['nor is it over two lines', plainComments, { 'src/planted.ts': '/**\n * A rule without a row is\n * none.\n */' }],
  ['a table is declared once for both databases', oneSchema, { 'src/planted.ts': 'CREATE TABLE job (id TEXT)' }],
  ['an import that leaves its room names the other', importForm, { 'src/keys/planted.ts': importing('../lib/lru.ts') }],
  ['an import goes up one folder at most', importForm, { 'test/a/b/planted.ts': importing('../../support/x.ts') }],
  ['a limit is named as such', limitNames, { 'src/planted.ts': 'const MOST_FILES = 4' }],
  ['a list of words is no pattern in logic', wordsInLexicon, { 'src/planted.ts': `const A = /${'this|'.repeat(25)}/` }],
  [
    'nor is it put together',
    wordsInLexicon,
    { 'src/planted.ts': `const A = new RegExp('${'this|'.repeat(25)}', 'i')` },
  ],
  ['logic has no letters beyond ASCII', wordsInLexicon, { 'src/planted.ts': "const A = ['f\u00fcnf']" }],
  ['logic has no words of another language', wordsInLexicon, { 'adapters/planted.ts': 'const A = /^(?:oder|nicht)$/' }],
  ['a factory has at most 100 lines', excusedFactories, { 'src/planted.ts': long('createPlanted') }],
  ['only a factory is excused', excusedFactories, { 'src/planted.ts': long('parsePlanted') }],
]

it.each(RULES)('%s', (_, rule, planted) => {
  expect(rule(tree)).toEqual([])
  expect(rule(plant(planted))).not.toEqual([])
})
