import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '../scope.ts'
import { unguessedPath } from './switch-target.ts'
import { startHttp } from './targets.ts'

/** A server that is asked by several processes; every path is a page of its own. */
export type CountingTarget = {
  url(path: string): string
  /** When each path was asked, in milliseconds since 1970. */
  asked: Map<string, number[]>
  /** Times at which a path was asked while it was still answering an earlier request, of which it had been asked then. */
  overlaps: { path: string; earlierMs: number; atMs: number }[]
  /** Paths that fail. */
  failing: Set<string>
  /** How long the answer of a path takes. */
  takesMs: Map<string, number>
}

export async function startCountingTarget(scope: Scope): Promise<CountingTarget> {
  const root = unguessedPath()
  /** When those were asked that are not over. */
  const underWay = new Map<string, Set<{ atMs: number }>>()
  const target: CountingTarget = {
    url: (path) => `http://127.0.0.1:${port}${root}/${path}`,
    asked: new Map(),
    overlaps: [],
    failing: new Set(),
    takesMs: new Map(),
  }
  const { port } = await startHttp(scope, async (request, response) => {
    const [, path] = (request.url ?? '').split(`${root}/`)
    if (path === undefined) {
      response.writeHead(404).end()
      return
    }
    const asked = { atMs: Date.now() }
    target.asked.set(path, [...(target.asked.get(path) ?? []), asked.atMs])
    const others = underWay.get(path) ?? new Set()
    for (const { atMs } of others) target.overlaps.push({ path, earlierMs: atMs, atMs: asked.atMs })
    underWay.set(path, others.add(asked))
    response.once('close', () => others.delete(asked))
    await delay(target.takesMs.get(path) ?? 0)
    response.writeHead(target.failing.has(path) ? 503 : 200).end()
  })
  return target
}
