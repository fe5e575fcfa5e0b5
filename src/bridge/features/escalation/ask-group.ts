import { administers } from '../../channels/permissions.ts'
import type { Command } from '../../delivery/job-context.ts'
import { channelKey } from '../../port/message.ts'
import { ASK_GROUP } from './whom-to-ask.ts'
import { say } from '../../delivery/reply.ts'

/** Whom *Ask a person* asks in this channel: named by who administers it. */
export const askGroup: Command = {
  name: 'ask-group',
  pattern: /^(?:ask group|frag gruppe)((?:\s[\s\S]+)?)$/i,
  async run(ports, doing) {
    const { preferences } = ports.store
    const { argument, author, conversation, message, texts } = doing
    const scope = channelKey(conversation)
    const { honest } = texts
    if (argument === '') {
      const group = await preferences.get(scope, `${ASK_GROUP}-names`)
      return say(doing, group === undefined ? honest.groupNone : honest.groupIs(group))
    }
    if (!(await administers(ports, doing, conversation, author.id)))
      return say(doing, texts.scope.adminsOnly, { privateTo: author.id })
    if (/^(?:off|aus)$/i.test(argument)) {
      await preferences.set(scope, ASK_GROUP, undefined)
      await preferences.set(scope, `${ASK_GROUP}-names`, undefined)
      return say(doing, honest.groupOff)
    }
    const people = message.mentions ?? []
    if (people.length === 0) return say(doing, honest.groupHow)
    const names = people.map(({ name }) => name.replaceAll(/[\\`*_[\]<>~|#@]/g, '')).join(', ')
    await preferences.set(scope, ASK_GROUP, JSON.stringify(people.map(({ id }) => id)))
    await preferences.set(scope, `${ASK_GROUP}-names`, names)
    return say(doing, honest.groupSet(names))
  },
}
