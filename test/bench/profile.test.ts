import { expect, it } from 'vitest'
import { sharesOf, type Profile } from '#bench/profile.ts'

const root = new URL('../..', import.meta.url).href
const frame = (functionName: string, path: string) => ({ functionName, url: path && `${root}${path}`, lineNumber: 4 })

it('shares of a profile: own time by file and function, packages as one, without what is idle', () => {
  const profile: Profile = {
    nodes: [
      { id: 1, callFrame: frame('split', 'src/bridge/delivery/split.ts') },
      { id: 2, callFrame: frame('parse', 'node_modules/@slack/bolt/dist/app.js') },
      { id: 3, callFrame: frame('(idle)', '') },
      { id: 4, callFrame: frame('(garbage collector)', '') },
    ],
    samples: [1, 2, 3, 4, 1],
    timeDeltas: [10, 20, 500, 10, 20],
  }
  const { files, functions } = sharesOf([profile])
  expect(files.map(({ name, part }) => [name, part.toFixed(2)])).toEqual([
    ['src/bridge/delivery/split.ts', '0.50'],
    ['node_modules/@slack/bolt', '0.33'],
    ['(garbage collector)', '0.17'],
  ])
  expect(functions[0]?.name).toBe('split src/bridge/delivery/split.ts:5')
})
