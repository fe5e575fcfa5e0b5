/** One line of a Dockerfile, continuation lines joined, comments gone. */
export interface Instruction {
  readonly name: string
  /** Without its `--flag=value` options. */
  readonly value: string
  readonly flags: readonly string[]
}

export function parseDockerfile(text: string): readonly Instruction[] {
  const joined = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
  return joined.split('\n').flatMap((line) => {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? []
    if (name === undefined || rest === undefined) return []
    const flags = /^(?:--\S+\s+)*/.exec(rest)?.[0] ?? ''
    return [{ name, value: rest.slice(flags.length).trim(), flags: flags.trim().split(/\s+/).filter(Boolean) }]
  })
}

/** Every `NAME=value` of the ENV instructions. */
export function environmentOf(instructions: readonly Instruction[]): Record<string, string> {
  const pairs = instructions
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ value }) => value.split(/\s+/).map((pair) => pair.split('=') as [string, string]))
  return Object.fromEntries(pairs)
}

/** The words of an exec-form command. @throws {SyntaxError} for the shell form. */
export function execForm(value: string): readonly string[] {
  const words: unknown = JSON.parse(value.replace(/^CMD\s+/, ''))
  if (!Array.isArray(words)) throw new SyntaxError(`not in exec form: ${value}`)
  return words.map(String)
}
