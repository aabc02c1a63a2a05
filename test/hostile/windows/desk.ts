import type { Answer } from '../../support/services/asked-service.ts'
import { ask } from '../../support/services/http.ts'
import { WALL_ZONE, wallTime } from './rows.ts'
import type { Change, Promised, Whom } from './truth.ts'

export const MINUTE_MS = 60_000
/** A change that was not answered is done by then, or never. */
const GIVEN_UP_MS = 30_000

/** Asks the service by a session, below the address of the team. */
export type Send = (method: string, path: string, body?: unknown) => Promise<Answer>

/** A window as its keeper knows it. */
export type Held = {
  id: number
  kind: 'one_off' | 'recurring' | 'switch'
  whom: Whom
  /** When it applies next or now, as far as its keeper knows; null for a switch that is off. */
  fromMs: number | null
  toMs: number
  /** The path of the secret address of a switch, without `/start`. */
  address: string
  promised: Promised[]
  /** A change of it was not taken, so that its keeper does not know any more how it stands. */
  isDoubted: boolean
}

/** A change that was taken: the answer, and when it was asked for and answered. */
type Done = { body: Answer['body']; fromMs: number; toMs: number }

/** Where windows are asked for; it writes down every change and what its answer promised. */
export type WindowDesk = {
  changes: Change[]
  promised: Promised[]
  /** Everybody, by number. */
  everybody: number[]
  send: Send
  byAddress(path: string): Promise<Answer>
  /** Null where the change was not taken. */
  carryOut(
    what: string,
    window: Held | null,
    whom: Whom,
    request: () => Promise<Answer>,
  ): Promise<Done | null>
  promise(window: Held, what: string, isApplying: boolean, fromMs: number, toMs?: number): void
  /** That it applies from its next start to its end, but not before it was asked for, and not after. */
  promiseSpan(window: Held, what: string, askedMs: number): void
  /** The window as a form sends it. */
  fieldsOf(window: Pick<Held, 'kind' | 'whom' | 'fromMs' | 'toMs'>): Record<string, unknown>
  idsOf(whom: number[]): (number | undefined)[]
}

/** `idOf` has the ids of monitors by the numbers of their targets and jobs. */
export type Place = { send: Send; url: string; idOf: Map<number, number> }

export function windowDesk({ send, url, idOf }: Place): WindowDesk {
  const changes: Change[] = []
  const promised: Promised[] = []

  const carryOut: WindowDesk['carryOut'] = async (what, window, whom, request) => {
    const fromMs = Date.now()
    // Earlier promises hold until now.
    for (const one of window?.promised ?? []) one.toMs = Math.min(one.toMs, fromMs)
    const change: Change = {
      window: window?.id ?? null,
      what,
      whom,
      fromMs,
      toMs: Number.POSITIVE_INFINITY,
      isTaken: false,
    }
    changes.push(change)
    const answer = await request().catch(() => null)
    const isAnswered = answer !== null && answer.status < 500
    change.toMs = Date.now() + (isAnswered ? 0 : GIVEN_UP_MS)
    change.isTaken = isAnswered && answer.status < 300
    if (window && !change.isTaken) window.isDoubted = true
    return change.isTaken ? { body: answer?.body?.data, fromMs, toMs: change.toMs } : null
  }

  const promise: WindowDesk['promise'] = (
    window,
    what,
    isApplying,
    fromMs,
    toMs = Number.POSITIVE_INFINITY,
  ) => {
    const one = { window: window.id, what, isApplying, fromMs, toMs }
    window.promised.push(one)
    promised.push(one)
  }

  function promiseSpan(window: Held, what: string, askedMs: number) {
    const { fromMs, toMs } = window
    if (fromMs === null) return promise(window, what, false, askedMs)
    if (fromMs > askedMs) promise(window, what, false, askedMs, fromMs)
    promise(window, what, true, Math.max(fromMs, askedMs), toMs)
    promise(window, what, false, Math.max(toMs, askedMs))
  }

  const idsOf = (whom: number[]) => whom.map((number) => idOf.get(number))

  const fieldsOf: WindowDesk['fieldsOf'] = ({ kind, whom, fromMs, toMs }) => {
    const all_subjects = whom === 'everything'
    const monitor_ids = whom === 'everything' ? [] : idsOf(whom)
    const shared = { kind, name: 'Works', all_subjects, monitor_ids }
    const from = fromMs ?? 0
    switch (kind) {
      case 'switch':
        return { ...shared, max_minutes: 3 }
      case 'one_off':
        return { ...shared, starts_at: new Date(from).toISOString(), ends_at: new Date(toMs).toISOString() }
      case 'recurring':
        return {
          ...shared,
          local_start: wallTime(from),
          time_zone: WALL_ZONE.name,
          duration_minutes: Math.round((toMs - from) / MINUTE_MS),
          rule: 'FREQ=DAILY',
        }
    }
  }

  async function byAddress(path: string): Promise<Answer> {
    const { status, headers } = await ask(url + path, { method: 'POST' })
    return { status, headers, body: null }
  }

  const everybody = [...idOf.keys()]
  return { changes, promised, everybody, send, byAddress, carryOut, promise, promiseSpan, fieldsOf, idsOf }
}
