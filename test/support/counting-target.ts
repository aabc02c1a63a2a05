import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from './scope.ts'
import { startHttp } from './targets.ts'

/** A server that is asked by several processes; every path is a page of its own. */
export type CountingTarget = {
  url(path: string): string
  /** When each path was asked, in milliseconds since 1970. */
  asked: Map<string, number[]>
  /** How often a path was asked while it was still answering an earlier request. */
  overlaps: Map<string, number>
  /** Paths that fail. */
  failing: Set<string>
  /** How long the answer of a path takes. */
  takesMs: Map<string, number>
}

export async function startCountingTarget(scope: Scope): Promise<CountingTarget> {
  const underWay = new Map<string, number>()
  const target: CountingTarget = {
    url: (path) => `http://127.0.0.1:${port}/${path}`,
    asked: new Map(),
    overlaps: new Map(),
    failing: new Set(),
    takesMs: new Map(),
  }
  const { port } = await startHttp(scope, async (request, response) => {
    const path = (request.url ?? '').slice(1)
    target.asked.set(path, [...(target.asked.get(path) ?? []), Date.now()])
    const others = underWay.get(path) ?? 0
    if (others > 0) target.overlaps.set(path, (target.overlaps.get(path) ?? 0) + 1)
    underWay.set(path, others + 1)
    response.once('close', () => underWay.set(path, (underWay.get(path) ?? 1) - 1))
    await delay(target.takesMs.get(path) ?? 0)
    response.writeHead(target.failing.has(path) ? 503 : 200).end()
  })
  return target
}
