/** `npm run profile -- ROW`: where the processor time of the product goes under a row of the bench. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

/** The part of a `.cpuprofile` that is read here: nodes, and the node that ran at each sample. */
export interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const add = (table: Map<string, number>, key: string, time: number) => table.set(key, (table.get(key) ?? 0) + time)

export interface Share {
  readonly name: string
  /** Part of the time that was not idle, 0 to 1. */
  readonly part: number
}

const LISTED = 25
const ROOT = new URL('..', import.meta.url).href
const IDLE = new Set(['(idle)', '(program)'])

const fileOf = ({ url }: CallFrame): string => {
  if (url === '') return '(native)'
  const path = url.replace(ROOT, '')
  const [, module] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  return module === undefined ? path : `node_modules/${module}`
}

/** Own time by file (packages as one) and by function, the largest first. */
export function sharesOf(profiles: readonly Profile[]): { readonly files: Share[]; readonly functions: Share[] } {
  const files = new Map<string, number>()
  const functions = new Map<string, number>()
  let total = 0
  for (const { nodes, samples, timeDeltas } of profiles) {
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
    samples.forEach((id, index) => {
      const frame = frames.get(id)
      if (frame === undefined || IDLE.has(frame.functionName)) return
      const time = timeDeltas[index] ?? 0
      const isCollector = frame.functionName === '(garbage collector)'
      const file = isCollector ? '(garbage collector)' : fileOf(frame)
      add(files, file, time)
      add(
        functions,
        isCollector ? file : `${frame.functionName || '(anonymous)'} ${file}:${frame.lineNumber + 1}`,
        time,
      )
      total += time
    })
  }
  const largest = (table: Map<string, number>): Share[] =>
    [...table]
      .map(([name, time]) => ({ name, part: time / total }))
      .toSorted((one, other) => other.part - one.part)
      .slice(0, LISTED)
  return { files: largest(files), functions: largest(functions) }
}

const say = (text: string) => void process.stdout.write(`${text}\n`)
const print = (title: string, shares: readonly Share[]) => {
  say(`\n${title}`)
  for (const { name, part } of shares) say(`${(part * 100).toFixed(1).padStart(5)} %  ${name}`)
}

function main(rows: readonly string[]): void {
  if (rows.length === 0) {
    say('Name a row of the bench: npm run profile -- load-slack')
    process.exitCode = 1
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-profile-'))
  const bench = fileURLToPath(new URL('main.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, [bench, '--profile', folder, ...rows], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = status ?? 1
  const names = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  if (names.length === 0) {
    say('No process of the product ran under this row.')
    process.exitCode = 1
    return
  }
  const profiles = names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile)
  const { files, functions } = sharesOf(profiles)
  print('Processor time by file, packages as one:', files)
  print('Processor time by function:', functions)
  say(`\nThe profiles are in ${folder}: open one in the performance panel of Chromium’s developer tools.`)
}

if (import.meta.main) main(process.argv.slice(2))
