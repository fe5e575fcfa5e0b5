import { readFixture } from '../fixtures/documents/read.ts'
import type { DroppedFile } from '../support/people/workspace.ts'

/** A note in markdown. */
export const note = (name: string, text: string): DroppedFile => ({
  name,
  bytes: `# ${name.replace(/\.md$/, '')}\n\n${text}\n`,
  mimeType: 'text/markdown',
})

export const ferry = note('ferry.md', 'The ferry to the island leaves at 9:40 from pier seven.')
export const mole = note('mole.md', 'The mole of the harbour is closed from November to March.')

export const fixture = async (name: string, mimeType: string): Promise<DroppedFile> => ({
  name,
  bytes: await readFixture(name),
  mimeType,
})
