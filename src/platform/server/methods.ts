import type { Handler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Environment } from './environment.ts'

/** Answers every other method of a path: 405, with those that there are. */
export function onlyMethods(...methods: readonly string[]): Handler<Environment> {
  return (c) => {
    c.header('allow', methods.join(', '))
    throw new HTTPException(405, {
      message: `${c.req.method} is nothing that ${c.req.path} takes: use ${methods.join(' or ')}.`,
    })
  }
}
