import type { VNode } from 'preact'
import { api } from '../chat/api.ts'
import { formatDay } from '../format.ts'
import { Credentials, useCredentials } from '../parts/credentials.tsx'
import { SmallForm } from '../parts/small-form.tsx'
import { texts } from '../texts.ts'

const MAX_NAME_CHARS = 60
/** The path of the API, on the address of the page. */
const API_PATH = '/v1'

/** Keys for the API of the platform. */
export function ApiKeys(): VNode {
  const { known, problem, made, make, end } = useCredentials(api.keys)
  return (
    <Credentials
      id="api-keys"
      heading={texts.apiKeys}
      explanation={texts.apiKeysWhat}
      address={{ label: texts.apiAddress, value: location.origin + API_PATH }}
      problem={problem}
      made={made && { sentence: texts.keyMade(made.name), secret: made.secret }}
      items={known ?? []}
      toRow={({ id, name, hint, createdAt, expiresAt }) => ({
        key: id,
        name,
        facts: texts.keyFacts(hint, formatDay(createdAt), expiresAt === undefined ? undefined : formatDay(expiresAt)),
        end: {
          label: texts.revoke,
          sure: texts.revokeForGood,
          says: texts.revokeKey(name),
          saysSure: texts.revokeKeySure(name),
        },
        onEnd: () => end(name, api.revokeKey(id)),
      })}
      makeLabel={texts.makeKey}
      renderForm={(close) => (
        <SmallForm
          label={texts.apiKeyName}
          submit={texts.makeKey}
          maxLength={MAX_NAME_CHARS}
          onSubmit={async (name) => {
            await make(
              name,
              api.makeKey(name).then(({ key }) => key),
            )
            close()
          }}
          onCancel={close}
        />
      )}
    />
  )
}
