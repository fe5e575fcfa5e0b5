/** `.ci/run` with a stand-in for npm: whatever happens, it counts right and never ends well when something failed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { inLong } from './support/forms.ts'

const SCRIPT = fileURLToPath(new URL('../.ci/run', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'footbridge-ci-'))
/** Of the machine: the tests have their own from npm. */
const MACHINE = ['postgres', 'pg_ctl', 'psql', 'chromium-headless-shell', 'chromium', 'ffmpeg']
afterAll(() => rmSync(folder, { recursive: true }))

interface Outcome {
  readonly install?: number
  readonly check?: number
  readonly test?: number
  /** The report of vitest; absent: it died before it could write one. */
  readonly report?: object
  /** The same of the long form. */
  readonly long?: object
  /** The same for the failed tests, run once more. Absent: that run died, too. */
  readonly again?: object
  /** The output of vitest in its first run. */
  readonly said?: string
}

/** Exit code, last line, and what npm was asked for. */
function runWith({ install = 0, check = 0, test = 0, report, long = { testResults: [] }, again, said = '' }: Outcome) {
  const asked = join(folder, 'asked')
  const [reportPath, longPath, againPath] = ['report', 'long', 'again'].map((name) => join(folder, `${name}.json`))
  const seen = join(folder, 'seen')
  for (const path of [asked, seen]) writeFileSync(path, '')
  writeFileSync(reportPath ?? '', report === undefined ? '' : JSON.stringify(report))
  writeFileSync(longPath ?? '', JSON.stringify(long))
  const secondReport = JSON.stringify(again ?? {})
  const secondCode = again === undefined || secondReport.includes('failed') ? test : 0
  writeFileSync(againPath ?? '', secondReport)
  const npm = [
    '#!/bin/sh',
    `echo $1 $2 >> ${asked}`,
    `for name in ${MACHINE.join(' ')}; do command -v $name >> ${seen}; done`,
    `case "$1" in ci) exit ${install} ;; i) exit 0 ;; run) exit ${check} ;; esac`,
    // The second run names the files that it tries again.
    `case "$*" in *.test.ts*) report=${againPath}; code=${secondCode} ;; *--mode*) report=${longPath}; code=${JSON.stringify(long).includes('failed') ? 1 : 0} ;; *) report=${reportPath}; code=${test} ;; esac`,
    `for word; do case "$word" in --outputFile.json=*) cat $report > "\${word#*=}" ;; esac; done`,
    `case "$*" in "test -- "*.test.ts* | *--mode*) ;; "test -- "*) echo '${said}' ;; esac`,
    'exit $code',
  ]
  writeFileSync(join(folder, 'npm'), npm.join('\n'), { mode: 0o755 })
  for (const name of MACHINE) writeFileSync(join(folder, name), '#!/bin/sh', { mode: 0o755 })
  const path = [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
  const { status, stdout } = spawnSync(SCRIPT, { env: { PATH: path }, encoding: 'utf8', input: '' })
  const counts = stdout.split('\n').filter((line) => /^\d+ passed, \d+ failed$/.test(line))
  // The check runs in parallel with the tests: either may be the first.
  const [clean, optional, ...beside] = readFileSync(asked, 'utf8').trim().split('\n')
  const commands = [clean, optional, ...beside.toSorted()].filter((command) => command !== undefined)
  const slowest = stdout.split('\n').filter((line) => /^ +\d+ s /.test(line))
  const unsteady = stdout
    .split('== passed only when tried again\n')[1]
    ?.split('\n')
    .filter((line) => line.startsWith('  '))
  const last = stdout.trimEnd().split('\n').at(-1)
  const programs = readFileSync(seen, 'utf8')
  return { status, counts, ...(unsteady && { unsteady }), last, commands, slowest, programs }
}

const asTests = (status: string, count: number, start = 0) =>
  Array.from({ length: count }, (_, at) => ({
    status,
    fullName: `test ${start + at}`,
    failureMessages: ['Error: no\n at x'],
  }))
const fileOf = (name: string, assertionResults: readonly { readonly status: string }[]) => ({
  name: join(dirname(SCRIPT), '../test', name),
  status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  assertionResults,
})
const steady = fileOf('a.test.ts', asTests('passed', 9))
const good = { testResults: [steady, fileOf('b.test.ts', asTests('passed', 3))] }
const bad = { testResults: [steady, fileOf('b.test.ts', [...asTests('passed', 1), ...asTests('failed', 2, 1)])] }

describe('.ci/run', () => {
  it('installs, checks and runs the tests that the README names', () => {
    expect(runWith({ report: good })).toMatchObject({
      status: 0,
      counts: ['12 passed, 0 failed'],
      last: '12 passed, 0 failed',
      commands: ['ci', 'i --no-save', 'run check', 'test --', 'test --'],
      programs: '',
    })
  })

  it('runs the files that failed once more, and names what passed only then', () => {
    const again = { testResults: [fileOf('b.test.ts', asTests('passed', 3))] }
    expect(runWith({ test: 1, report: bad, again })).toMatchObject({
      status: 0,
      unsteady: ['  test/b.test.ts: test 1: Error: no', '  test/b.test.ts: test 2: Error: no'],
      last: '12 passed, 0 failed',
      commands: ['ci', 'i --no-save', 'run check', 'test --', 'test --', 'test --'],
    })
  })

  it('counts the long form, and runs a file that failed in it once more', () => {
    const long = { testResults: [fileOf('long.test.ts', asTests('failed', 2))] }
    const again = { testResults: [fileOf('long.test.ts', asTests('passed', 2))] }
    expect(runWith({ report: good, long, again })).toMatchObject({ status: 0, last: '14 passed, 0 failed' })
    expect(runWith({ test: 1, report: good, long, again: long })).toMatchObject({
      status: 1,
      last: '12 passed, 2 failed',
    })
  })

  it('runs a file of both forms again as a whole', () => {
    const whole = { testResults: [fileOf('b.test.ts', asTests('passed', 5))] }
    const long = { testResults: [fileOf('b.test.ts', asTests('passed', 4))] }
    expect(runWith({ test: 1, report: bad, long, again: whole })).toMatchObject({
      status: 0,
      last: '14 passed, 0 failed',
    })
  })

  it('does not try many files again', () => {
    const testResults = Array.from({ length: 9 }, (_, at) => fileOf(`${at}.test.ts`, asTests('failed', 1)))
    expect(runWith({ test: 1, report: { testResults }, again: good })).toMatchObject({
      status: 1,
      last: '0 passed, 9 failed',
      commands: ['ci', 'i --no-save', 'run check', 'test --', 'test --'],
    })
  })

  it('names the ten slowest test files before the counts', () => {
    const files = Array.from({ length: 12 }, (_, at) => ({
      name: join(dirname(SCRIPT), `../test/file-${at}.test.ts`),
      status: 'passed',
      startTime: 1000,
      endTime: 1000 + ((at * 5) % 12) * 60_000,
      assertionResults: [],
    }))
    const { slowest, last } = runWith({ report: { testResults: files } })
    expect(slowest).toHaveLength(10)
    expect(slowest.slice(0, 3)).toEqual([
      '  660 s  test/file-7.test.ts',
      '  600 s  test/file-2.test.ts',
      '  540 s  test/file-9.test.ts',
    ])
    expect(last).toBe('0 passed, 0 failed')
  })

  it.each<[string, Outcome, string]>([
    ['tests', { test: 1, report: bad, again: bad }, '10 passed, 2 failed'],
    ['the check', { check: 1, report: good }, '12 passed, 1 failed'],
  ])('ends badly and counts it when %s fails', (_what, outcome, counts) => {
    expect(runWith(outcome)).toMatchObject({ status: 1, counts: [counts], last: counts })
  })
  it.each<[string, Outcome, string]>([
    ['the install', { install: 1, report: good }, '0 passed, 1 failed'],
    ['the test runner itself', { test: 1 }, '0 passed, 1 failed'],
    ['something outside of any test', { test: 1, report: good }, '12 passed, 1 failed'],
    [
      'something outside of any test, beside tests that pass when tried again',
      {
        test: 1,
        report: bad,
        again: { testResults: [fileOf('b.test.ts', asTests('passed', 3))] },
        said: '⎯⎯ Unhandled Errors ⎯⎯',
      },
      '12 passed, 1 failed',
    ],
    [
      'a file that can not be loaded',
      { test: 1, report: { testResults: [steady, { ...fileOf('c.test.ts', []), status: 'failed' }] } },
      '9 passed, 1 failed',
    ],
  ])('ends badly and counts it when %s fails', inLong, (_what, outcome, counts) => {
    expect(runWith(outcome)).toMatchObject({ status: 1, counts: [counts], last: counts })
  })
})
