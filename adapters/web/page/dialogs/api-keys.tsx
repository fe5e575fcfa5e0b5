import type { VNode } from 'preact'
import { api } from '../chat/api.ts'
import { formatDay } from '../format.ts'
import { Credentials, useCredentials } from '../parts/credentials.tsx'
import { texts } from '../texts.ts'
import { KeyForm } from './key-form.tsx'

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
      toRow={({ id, name, hint, createdAt, expiresAt, scope }) => ({
        key: id,
        name,
        facts: texts.keyFacts(hint, formatDay(createdAt), {
          end: expiresAt === undefined ? undefined : formatDay(expiresAt),
          scope,
        }),
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
        <KeyForm
          onMake={async (name, scope) => {
            await make(
              name,
              api.makeKey(name, scope).then(({ key }) => key),
            )
            close()
          }}
          onCancel={close}
        />
      )}
    />
  )
}
