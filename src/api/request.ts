import type { Context } from 'hono'
import { fillPath } from '../contract/operation.ts'
import type { Upload } from '../operations/implementation.ts'
import { readJson } from './body.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The operation's name in metrics, set by the handler of the request. */
    operation: string
  }
}

/** Writes a path of the contract in the router's syntax. */
export function routeOf(path: string): string {
  return fillPath(path, (parameter) => `:${parameter}`)
}

/** Everything about a request but the caller. */
export function readRequest(context: Context, maxBodyBytes?: number) {
  return {
    params: context.req.param() as Record<string, string>,
    query: readQuery(context.req.url),
    readBody: () => readJson(context.req.raw, maxBodyBytes),
  }
}

/** The bytes of the files that a request brings: they are read once, by the operation, as far as it takes them. */
export function uploadIn({ body, signal }: Request): Upload {
  return { content: body ?? NOTHING, signal }
}

const NOTHING: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} }

/** The last value of a repeated parameter counts; an empty one counts as absent. */
function readQuery(url: string): Record<string, string> {
  const start = url.indexOf('?')
  if (start < 0) return {}
  const [query] = url.slice(start + 1).split('#', 1)
  const pairs = new Map(new URLSearchParams(query))
  return Object.fromEntries([...pairs].filter(([, value]) => value !== ''))
}
