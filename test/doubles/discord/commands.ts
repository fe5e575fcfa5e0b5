import type { Json } from './payloads.ts'
import { channelTypes, type DoubleChannel } from './types.ts'
import { invalidForm, type RouteAnswer } from './validate.ts'
import type { World } from './world.ts'

interface Option {
  readonly type: number
  readonly name: string
  readonly description: string
  readonly required?: boolean
  readonly autocomplete?: boolean
  readonly choices?: readonly { readonly value: unknown }[]
}

interface Command {
  readonly id: string
  readonly type: number
  readonly name: string
  readonly description?: string
  readonly options?: readonly Option[]
  readonly contexts?: readonly number[]
  readonly integration_types?: readonly number[]
}

/** The registered commands, global ones and those of a guild. Refuses what Discord refuses. */
export interface CommandBook {
  /** @param guild empty: the global ones */
  list(guild: string): RouteAnswer
  put(guild: string, body: unknown): RouteAnswer
  /** Adds one, or takes the place of one of the same name. */
  add(guild: string, body: unknown): RouteAnswer
  /** Discord refuses a command of this name, for a reason of its own. */
  refuse(name: string): void
  /** Data of an interaction; the value of a file is its id. @throws {Error} where a person could not call this */
  called(name: string, where: DoubleChannel, options: Json, target: string | undefined): Json
  completing(name: string, where: DoubleChannel, option: string, typed: string): Json
}

const SLASH_NAME = /^[-_'\p{L}\p{N}]{1,32}$/u
const types = { slash: 1, message: 3 }

export function createCommandBook(world: World): CommandBook {
  const books = new Map<string, readonly Command[]>()
  const refused = new Set<string>()
  const isTaken = (command: Command) => isFine(command) && !refused.has(command.name)
  // Discord fills in its defaults, and drops empty lists.
  const made = (command: Command) => ({ ...command, id: world.nextId(), version: world.nextId(), nsfw: false })

  function find(name: string, where: DoubleChannel): Command {
    const all = [...(books.get(where.guildId ?? world.guildId) ?? []), ...(books.get('') ?? [])]
    const found = all.find((command) => command.name === name)
    if (found === undefined) throw new Error(`The command ${name} is not registered.`)
    const context = where.type === channelTypes.direct ? 1 : 0
    if (found.contexts?.includes(context) === false) throw new Error(`/${name} is not offered in this place.`)
    const installed = where.guildId === undefined ? 0 : 1
    if (found.integration_types?.includes(installed) === false) throw new Error(`/${name} is not installed there.`)
    return found
  }

  return {
    list: (guild) => ({ status: 200, body: books.get(guild) ?? [] }),
    put(guild, body) {
      const wanted = body as readonly Command[]
      const wrong = wanted.findIndex((command) => !isTaken(command))
      if (wrong >= 0) return invalidForm(`${wrong}`, 'APPLICATION_COMMAND_INVALID', 'Discord refuses this command.')
      if (new Set(wanted.map(({ name, type }) => `${type}${name}`)).size < wanted.length)
        return invalidForm('0.name', 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Names are unique.')
      const all = wanted.map(made)
      books.set(guild, all)
      return { status: 200, body: all }
    },
    add(guild, body) {
      const wanted = body as Command
      if (!isTaken(wanted)) return invalidForm('name', 'APPLICATION_COMMAND_INVALID', 'Discord refuses this command.')
      const known = books.get(guild) ?? []
      const others = known.filter(({ name, type }) => name !== wanted.name || type !== wanted.type)
      const one = made(wanted)
      books.set(guild, [...others, one])
      return { status: 201, body: one }
    },
    refuse: (name) => void refused.add(name),
    called(name, where, options, target) {
      const { id, type, options: known = [] } = find(name, where)
      if ((type === types.message) !== (target !== undefined)) throw new Error(`${name} is called another way.`)
      for (const option of known)
        if (option.required === true && options[option.name] === undefined)
          throw new Error(`/${name} needs ${option.name}.`)
      const given = Object.entries(options).map(([option, value]) => {
        const found = known.find((each) => each.name === option)
        if (found === undefined) throw new Error(`/${name} has no option ${option}.`)
        return { name: option, type: found.type, value }
      })
      return { id, name, type, ...(target === undefined ? { options: given } : { target_id: target }) }
    },
    completing(name, where, option, typed) {
      const { id, type, options = [] } = find(name, where)
      const found = options.find((each) => each.name === option)
      if (found?.autocomplete !== true) throw new Error(`/${name} does not complete ${option}.`)
      return { id, name, type, options: [{ name: option, type: found.type, value: typed, focused: true }] }
    },
  }
}

const isNamed = (each: string) => SLASH_NAME.test(each) && each === each.toLowerCase()
const isSaid = (text: string | undefined) => text !== undefined && text.length >= 1 && text.length <= 100

function isFine({ type, name, description, options = [] }: Command): boolean {
  if (type === types.message) return name.length >= 1 && name.length <= 32 && description === undefined
  const firstFree = options.findIndex(({ required }) => required !== true)
  return (
    isNamed(name) &&
    isSaid(description) &&
    options.length <= 25 &&
    options.every(({ name: option, description: about, choices = [] }) => {
      return isNamed(option) && isSaid(about) && choices.length <= 25
    }) &&
    (firstFree < 0 || options.slice(firstFree).every(({ required }) => required !== true))
  )
}
