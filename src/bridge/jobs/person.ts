import { personScope } from '../channels/settings.ts'
import { type JobServices, personOf } from '../features/feature.ts'
import type { Adapter } from '../port/adapter.ts'
import type { Author } from '../port/author.ts'
import { conversationOf, type Inbound, type InboundOf } from '../port/message.ts'

const isMessage = (inbound: Inbound): inbound is InboundOf<'message' | 'edit'> =>
  inbound.kind === 'message' || inbound.kind === 'edit'

const withAuthor = (author: Author, inbound: Inbound): Inbound =>
  isMessage(inbound) ? { ...inbound, message: { ...inbound.message, author } } : ({ ...inbound, author } as Inbound)

/** An event does not wait long for the name of its person: the job asks again, since files and notes keep the name. */
async function withName(adapter: Adapter, inbound: Inbound): Promise<Inbound> {
  const author = personOf(inbound)
  if (author === undefined || author.name !== author.id || author.programIds !== undefined) return inbound
  const person = await adapter.people?.describe(conversationOf(inbound), author.id)
  return person === undefined ? inbound : withAuthor(person, inbound)
}

/** The event with the language that its person chose, else the one of the channel's settings. */
async function withLanguage({ settings, store }: JobServices, inbound: Inbound): Promise<Inbound> {
  const author = personOf(inbound)
  if (author === undefined) return inbound
  const conversation = conversationOf(inbound)
  const [own, chosen] = await Promise.all([
    store.preferences.get(personScope(conversation, author.id), 'language'),
    settings.of(conversation),
  ])
  const language = own ?? chosen.language
  return language === undefined ? inbound : withAuthor({ ...author, language, isLanguageChosen: true }, inbound)
}

/** The event with the name of its person, and with the language that its person chose, else that of the channel. */
export const withPerson = async (services: JobServices, adapter: Adapter, inbound: Inbound): Promise<Inbound> =>
  withLanguage(services, await withName(adapter, inbound))
