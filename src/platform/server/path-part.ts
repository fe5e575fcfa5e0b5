import type { Context } from 'hono'

/** A named part of the path; the router only comes here when it is there. */
export function filePart(c: Context): string {
  return c.req.param('file') ?? ''
}

/** Name or full id of the collection, also where the slash of an id was not encoded. */
export function collectionPart(c: Context): string {
  const owner = c.req.param('owner')
  const name = c.req.param('name') ?? ''
  return owner === undefined ? name : `${owner}/${name}`
}
