import { MIN_BUILD_EVERY_MS } from '../../../core/status-pages/serving/build-times.ts'

/** A build that failed is tried again after this time. */
const AGAIN_AFTER_MS = 2_000
/** Node's timers take no more. */
const MAX_TIMER_MS = 2 ** 31 - 1

type Due = { dueMs: number; isUrgent: boolean }

/** Builds pages one at a time, and a page at most once a second: what changed first, then what is due by time. */
export function createBuildQueue(deps: {
  /** Builds a page; resolves to when it is due next, in milliseconds from now, or null: never by time. */
  build: (pageId: number) => Promise<number | null>
  monotonicMs: () => number
  onTrouble: (error: unknown) => void
}) {
  const { monotonicMs } = deps
  const due = new Map<number, Due>()
  const builtAt = new Map<number, number>()
  const waiting = new Map<number, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isTroubled = false
  let isClosed = false

  function plan(pageId: number, inMs: number, isUrgent: boolean): void {
    if (isClosed) return
    const now = monotonicMs()
    const earliest = (builtAt.get(pageId) ?? Number.NEGATIVE_INFINITY) + MIN_BUILD_EVERY_MS
    const dueMs = Math.max(now + inMs, earliest)
    const known = due.get(pageId)
    if (known && known.dueMs <= dueMs && known.isUrgent >= isUrgent) return
    due.set(pageId, {
      dueMs: Math.min(dueMs, known?.dueMs ?? dueMs),
      isUrgent: isUrgent || known?.isUrgent === true,
    })
    arm()
  }

  /** The first that is due: what changed before what is only old. */
  function next(now: number): number | null {
    let first: [number, Due] | null = null
    for (const one of due) {
      if (one[1].dueMs > now) continue
      if (first === null || one[1].isUrgent > first[1].isUrgent) first = one
      else if (one[1].isUrgent === first[1].isUrgent && one[1].dueMs < first[1].dueMs) first = one
    }
    return first?.[0] ?? null
  }

  function arm(): void {
    if (running || isClosed) return
    clearTimeout(timer)
    if (due.size === 0) return
    const soonest = Math.min(...[...due.values()].map(({ dueMs }) => dueMs))
    timer = setTimeout(run, Math.min(MAX_TIMER_MS, Math.max(0, soonest - monotonicMs())))
    timer.unref()
  }

  function run(): void {
    running = buildAll().finally(() => {
      running = null
      arm()
    })
  }

  async function buildAll(): Promise<void> {
    for (let id = next(monotonicMs()); id !== null && !isClosed; id = next(monotonicMs())) await buildOne(id)
  }

  async function buildOne(pageId: number): Promise<void> {
    // One that began for a request began before the change.
    await waiting.get(pageId)?.catch(() => {})
    due.delete(pageId)
    try {
      await buildNow(pageId)
      isTroubled = false
    } catch (error) {
      if (!isTroubled && !isClosed) deps.onTrouble(error)
      isTroubled = true
      plan(pageId, AGAIN_AFTER_MS, true)
    }
  }

  /** Builds at once, for a request that has to wait; requests for the same page share the work. */
  function buildNow(pageId: number): Promise<void> {
    const known = waiting.get(pageId)
    if (known !== undefined) return known
    const work = deps
      .build(pageId)
      .then((inMs) => {
        builtAt.set(pageId, monotonicMs())
        if (inMs !== null) plan(pageId, inMs, false)
      })
      .finally(() => waiting.delete(pageId))
    waiting.set(pageId, work)
    return work
  }

  return {
    plan,
    buildNow,
    forget(pageId: number): void {
      due.delete(pageId)
      builtAt.delete(pageId)
    },
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}
