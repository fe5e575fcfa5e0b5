import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { printGolden, type GoldenCase } from '#eval/golden.ts'
import { createPlatformClient } from '#platform/client/client.ts'
import { withPlatform } from '../support/platforms.ts'
import { closeAtEnd } from '../support/close-at-end.ts'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** As `npm run eval` starts it. */
const run = (env: Readonly<Record<string, string>>, ...words: readonly string[]) =>
  new Promise<Ended>((resolve) => {
    const child = execFile(process.execPath, [CLI, ...words], { env: { ...env } }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })

it('the exit code tells whether more got worse on a hosted platform than may', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-eval-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const { env, platform } = closeAtEnd(await withPlatform('collection'))
  const client = closeAtEnd(
    createPlatformClient({ baseUrl: platform.baseUrl, apiKey: platform.key, profile: 'collection' }),
  )
  await client.collections.create('ferries')
  const passage = 'The ferry to the island leaves at 9:40 from pier seven.'
  const file = { name: 'ferry.md', mimeType: 'text/markdown', bytes: new Blob([`# Ferry\n\n${passage}\n`]) }
  await client.files.upload('ferries', file)
  await client.collections.generateIndex('ferries')
  const golden = join(directory, 'golden.jsonl')
  const one: GoldenCase = {
    id: 'one',
    question: 'When does the ferry to the island leave?',
    want: 'answer',
    expected: [{ file: 'ferry.md', passage }],
    rejected: [],
    votes: { up: 1, down: 0 },
    reasons: [],
    models: [],
    collections: ['ferries'],
  }
  writeFileSync(golden, printGolden([one]))

  const first = await run(env, 'eval', golden)
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toMatch(/as people want it +1\/1\nexpected file cited +1\/1\nexpected passage cited +1\/1/)

  await client.files.delete('ferries', 'ferry.md')
  await client.collections.generateIndex('ferries')
  const second = await run(env, 'eval', golden)
  expect(second.code).toBe(1)
  expect(second.out).toMatch(/Worse \(1\):\n {2}- When does the ferry/)
  expect((await run(env, 'eval', golden, '--worse', '1')).code).toBe(0)
  expect(await run(env, 'eval')).toMatchObject({ code: 1, err: expect.stringMatching(/^Usage: footbridge eval/) })
})
