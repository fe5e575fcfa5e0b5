import type { VNode } from 'preact'
import type { WebChannel } from '#adapters/web/protocol.ts'
import { api } from '../chat/api.ts'
import { formatDay } from '../format.ts'
import { Credentials, useCredentials } from '../parts/credentials.tsx'
import { texts } from '../texts.ts'
import { TokenForm } from './token-form.tsx'

/** Tokens by which programs read for this person. */
export function Programs({ channels }: { channels: readonly WebChannel[] }): VNode {
  const { known, problem, made, make, end } = useCredentials(api.tokens)
  return (
    <Credentials
      id="programs"
      heading={texts.programs}
      explanation={texts.programsWhat}
      address={known && { label: texts.programsAddress, value: known.address }}
      problem={problem}
      made={made && { sentence: texts.tokenMade(made.name), secret: made.secret }}
      items={known?.tokens ?? []}
      toRow={({ name, createdAt, usedAt, host, ...scope }) => ({
        key: name,
        name: host === undefined ? name : `${name} (${host})`,
        facts: texts.tokenFacts(formatDay(createdAt), usedAt === undefined ? undefined : formatDay(usedAt), scope),
        end: {
          label: texts.end,
          sure: texts.endForGood,
          says: texts.endToken(name),
          saysSure: texts.endTokenSure(name),
        },
        onEnd: () => end(name, api.endToken(name)),
      })}
      makeLabel={texts.makeToken}
      renderForm={(close) => (
        <TokenForm
          tools={known?.tools ?? []}
          channels={channels}
          onMake={async (wish) => {
            await make(
              wish.name,
              api.makeToken(wish).then(({ token }) => token),
            )
            close()
          }}
          onCancel={close}
        />
      )}
    />
  )
}
