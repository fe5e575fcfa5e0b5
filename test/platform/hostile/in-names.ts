import { json, post, raw, show, upload, type Make } from './make.ts'
import { badCharacters, tooLong, wildSegments } from './names.ts'
import { collections, files, head, multipart, toMultipart } from './raw.ts'

const wrongValues = [null, 0, 1e308, true, [], {}, ['notes'], { name: 'x' }, '', 'x'.repeat(101)] as const

export const collectionNames: Make = (random, key) => {
  const name = random.pick([
    () => badCharacters(random),
    () => tooLong(random, 100),
    () => random.pick(wrongValues),
    () => 'notes',
    () => '\ud800',
    () => 'a\udfffb',
  ])()
  const body = JSON.stringify(random.pick([{ name }, { name, extra: 1 }]))
  return post(`name ${show(name)}`, `${collections}/`, { ...raw(key), ...json }, body)
}

export const collectionPaths: Make = (random, key) => {
  const segment = random.pick(wildSegments)
  const [method, rest] = random.pick([
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/files/'],
    ['POST', '/generate-index'],
    ['DELETE', '/delete-index'],
    ['GET', '/files/a.md/download'],
    ['DELETE', '/files/a.md'],
  ] as const)
  const path = `${random.pick(['', '/v1'])}${collections}/${segment}${rest}`
  return { what: `path ${method} ${path.slice(0, 120)}`, pieces: [head(method, path, raw(key))] }
}

export const filePaths: Make = (random, key) => {
  const segment = random.pick(wildSegments)
  const [method, rest] = random.pick([
    ['GET', '/download'],
    ['DELETE', ''],
    ['PUT', ''],
  ] as const)
  const path = `${files}/${segment}${rest}`
  const what = `file ${method} ${path.slice(0, 120)}`
  if (method !== 'PUT') return { what, pieces: [head(method, path, raw(key))] }
  return {
    ...post(what, path, { ...raw(key), ...multipart }, toMultipart([{ file: 'a.md', content: '# new' }]), 'PUT'),
    what,
  }
}

/** As a form writes it: quotes, line ends and NUL would end the parameter. */
const inForm = (name: string) => name.replaceAll('"', '%22').replaceAll('\n', '%0A').replaceAll('\r', '%0D')

export const fileNames: Make = (random, key) => {
  const name = random.pick([
    () => `${badCharacters(random).replace(/[\r\n]/g, '\u0000')}/x.md`,
    () => `${random.pick(['\u202e', '\u0000', '\u001b', '\u2028'])}dm.exe.md`,
    () => `${tooLong(random, 150)}.md`,
    () => random.pick(['../a.md', '..\\a.md', '/etc/a.md', 'C:\\a.md', './b.md', 'b/../a.md', '.', '..', '']),
    () => random.pick(['a.exe', 'a', '.md.zip', 'a.md.', 'a.md ', 'a.docx', 'a.html', 'a.svg', 'a.MDX', 'md']),
    () => 'a.md',
  ])()
  return upload(`file name ${show(name)}`, key, [{ file: inForm(name), content: '# A\n\nnew text' }])
}
