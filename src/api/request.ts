import type { Context } from 'hono'
import { fillPath } from '../contract/operation.ts'
import { readJson } from './body.ts'

/** A path of the contract as the router writes it. */
export function routeOf(path: string): string {
  return fillPath(path, (parameter) => `:${parameter}`)
}

/** What was asked, apart from who asks. */
export function readRequest(context: Context) {
  return {
    params: context.req.param() as Record<string, string>,
    query: readQuery(context.req.url),
    readBody: () => readJson(context.req.raw),
  }
}

/** A repeated parameter takes the last value; an empty one counts as absent. */
function readQuery(url: string): Record<string, string> {
  const pairs = new Map(new URL(url).searchParams)
  return Object.fromEntries([...pairs].filter(([, value]) => value !== ''))
}
