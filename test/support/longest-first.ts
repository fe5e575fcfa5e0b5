import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findTags } from './forms.ts'

/**
 * Tests that take minutes, the longest first: begun last, one would be waited for alone at the end. Many of them wait
 * (for the pace of a chat service, a restart, a registry), and those that compute fill the time.
 */
const LONGEST = [
  'leak/',
  'docker.test.ts',
  'crash/',
  'torture/',
  'operate/full-disk.test.ts',
  'scenarios/',
  'platform/engine/convert/pdf/scans/',
  'e2e/',
  'platform/engine/voice/local/',
  'platform/engine/storage/postgres/',
]

/** It measures how long somebody waits for a service that is kept busy: the machine should have little else to do. */
const LAST = 'torture/floods.test.ts'

const rankOf = ({ moduleId }: TestSpecification): number => {
  const path = relative('test', moduleId)
  if (path === LAST) return LONGEST.length + 1
  const at = LONGEST.findIndex((start) => path.startsWith(start))
  return at < 0 ? LONGEST.length : at
}

/** Within a folder as vitest would. It sees each file before it runs: so it also chooses the tests by their tags. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const tags = findTags(files[0]?.project.config.env['TEST_FORM'])
    for (const file of files) file.testTagsFilter = tags.get(relative('', file.moduleId))
    // oxlint-disable-next-line unicorn/no-array-sort -- the base class's own
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
