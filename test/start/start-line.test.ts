import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const flags = (line: string | undefined) => line?.match(/--(?!import)[a-z-]+=\d+|--(?!import)[a-z-]+(?=[ "])/g)

it('the image starts Node with the flags of npm start', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: { readonly start: string } }
  const image = /^CMD .*$/m.exec(read('Dockerfile'))?.[0]
  expect(flags(scripts.start)).toEqual(['--max-semi-space-size=8'])
  expect(flags(image)).toEqual(flags(scripts.start))
})
