/** `npm run deps`: the import rule, over all files of the product. */
import { cwd } from 'node:process'
import { readGraph } from './graph.ts'
import { findViolations } from './violations.ts'

const graph = readGraph(cwd())
const violations = findViolations(graph)
const said = violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}\n  ${rule.comment}\n`)
process.stdout.write(
  `${said.join('')}${graph.files.length} files, ${graph.imports.length} imports, ${violations.length} against a rule\n`,
)
process.exitCode = violations.length === 0 ? 0 : 1
