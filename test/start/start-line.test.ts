import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const flags = (line: string | undefined) => line?.match(/--(?!import)[a-z-]+/g) ?? []

it('npm start, the image and the service start Node without flags', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: { readonly start: string } }
  const image = /^CMD .*$/m.exec(read('Dockerfile'))?.[0]
  const service = /^ExecStart=.*$/m.exec(read('deploy/footbridge.service'))?.[0]
  for (const line of [scripts.start, image, service]) {
    expect(line).toContain('node')
    expect(flags(line)).toEqual([])
  }
})
