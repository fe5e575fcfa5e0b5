import { parseArgs } from 'node:util'
import { breakOnce, drawMutations } from './breaks.ts'
import { mutations } from './mutations.ts'

// `npm run conformance:break`: shows that the tests of the contract can fail. `-- --seed 7 --count 52` chooses.

const say = (line: string) => process.stdout.write(`${line}\n`)

const { values } = parseArgs({ options: { seed: { type: 'string' }, count: { type: 'string', default: '20' } } })
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const drawn = drawMutations(seed, Number(values.count))
say(`${drawn.length} of ${mutations.length} breaks, seed ${seed}`)
let missed = 0
for (const [place, mutation] of drawn.entries()) {
  const { unseen } = await breakOnce(mutation)
  const shown = mutation.breaks.map((one) => `C-${String(one).padStart(3, '0')}`).join(' ')
  if (unseen.length === 0) say(`${place + 1}. shown    ${mutation.file}: ${shown}`)
  else {
    missed += 1
    say(`${place + 1}. NOT SEEN ${mutation.file}: ${JSON.stringify(mutation.find)}: ${unseen.join(' ')} still pass`)
  }
}
say(missed === 0 ? 'every break was shown' : `${missed} breaks were not shown`)
process.exitCode = missed === 0 ? 0 : 1
