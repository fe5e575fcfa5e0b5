import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONVERT_LIMITS, createConverter, type Converter } from '#platform/engine/convert/converter.ts'

const query = { response_type: 'markdown', extract_tables_as_images: false, image_resolution_scale: 1 } as const

interface ReportedDocument {
  readonly file: string
  readonly must: readonly string[]
  readonly no: readonly string[]
  readonly source: string
  readonly what: string
}

const folderOfCases = new URL('documents/', import.meta.url)
const cases: readonly ReportedDocument[] = JSON.parse(await readFile(new URL('cases.json', folderOfCases), 'utf8'))

describe('documents of public bug reports', () => {
  let folder: string
  let converter: Converter
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-reports-'))
    converter = createConverter(join(folder, 'work'), CONVERT_LIMITS)
  })
  afterAll(async () => {
    await converter.close()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(cases)('$file: $what ($source)', async ({ file, must, no }) => {
    const path = fileURLToPath(new URL(file, folderOfCases))
    const result = await converter.convertDocument({ path, name: file, query })
    const markdown = result.markdown ?? ''
    for (const pattern of must) expect(markdown).toMatch(toRegExp(pattern))
    for (const pattern of no) expect(markdown).not.toMatch(toRegExp(pattern))
  })
})

/** Patterns may begin with flags, as in `(?m)^word`. */
function toRegExp(pattern: string): RegExp {
  const [, flags = '', rest = pattern] = /^\(\?([ms]+)\)(.*)$/s.exec(pattern) ?? []
  return new RegExp(rest, flags)
}
