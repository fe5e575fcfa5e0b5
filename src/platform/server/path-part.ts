import type { Context } from 'hono'

/** A named part of the path; the router only comes here when it is there. */
export function pathPart(c: Context, name: 'name' | 'file'): string {
  return c.req.param(name) ?? ''
}
