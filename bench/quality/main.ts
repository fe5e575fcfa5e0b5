import { parseArgs } from 'node:util'
import { tableHead, type Tally } from './figures.ts'
import { checkFusion, measureFusion } from './fusion.ts'
import { openLibrary } from './library.ts'
import { givenServer, openTemporaryIndex } from '../postgres.ts'
import { measureSciFact } from './scifact.ts'
import { readSciFact, readXquad } from './sets.ts'
import { measureNeighbours, measureOffTopic, measureOtherField, measureXquad, xquadLanguages } from './xquad.ts'

const say = (text: string) => void process.stdout.write(`${text}\n`)
const tell = (tallies: readonly Tally[]) => {
  for (const tally of tallies) say(tally.line())
}

/**
 * Quality of retrieval and of the `extractive` model on public sets. `--no-fusion` leaves the slow part out, `--postgres`
 * measures the index in a database of its own on the server that DATABASE_URL names.
 */
async function main(args: readonly string[]): Promise<void> {
  const options = {
    'no-fusion': { type: 'boolean' },
    'check-fusion': { type: 'boolean' },
    postgres: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ args: [...args], options })
  const scifact = readSciFact()
  await using library = await openLibrary(
    values.postgres === true ? () => openTemporaryIndex(givenServer()) : undefined,
  )
  for (const line of tableHead) say(line)
  tell(await measureSciFact(library, scifact))
  for (const language of xquadLanguages) {
    const set = readXquad(language)
    // oxlint-disable-next-line no-await-in-loop -- one set after the other
    tell(await measureXquad(library, language, set))
    // oxlint-disable-next-line no-await-in-loop -- as above
    tell(await measureNeighbours(library, language, set))
    // oxlint-disable-next-line no-await-in-loop -- as above
    tell([await measureOtherField(library, language, set)])
  }
  tell(await measureOffTopic(library, scifact.queries))
  if (values['no-fusion'] !== true) tell(await measureFusion(library, scifact))
  if (values['check-fusion'] === true) tell(await checkFusion(library, scifact, readXquad('en')))
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
