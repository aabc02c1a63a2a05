import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '../support/scope.ts'
import type { Answer } from '../support/services/asked-service.ts'
import { ask } from '../support/services/http.ts'
import { WALL_ZONE, wallTime } from './window-rows.ts'
import type { Change, Promised, Whom } from './window-truth.ts'

const MINUTE_MS = 60_000
/** People and scripts that work at the same time, each with windows of their own. */
const PEOPLE = 3
const LONGEST_PAUSE_MS = 5_000
const MOST_WINDOWS = 2
/** A change that was not answered is done by then, or never. */
const GIVEN_UP_MS = 30_000
/** The end of a window that nobody ends is so far away that most are ended by somebody. */
const MINUTES = [1, 2] as const

/** Asks the service by a session, below the address of the team. */
export type Send = (method: string, path: string, body?: unknown) => Promise<Answer>

/** Those who work with maintenance windows, and what they did and were told. */
export type WindowPeople = {
  changes: Change[]
  promised: Promised[]
  begin(random: () => number): void
  /** Resolves when nobody changes anything any more. */
  end(): Promise<void>
}

/** A window as its keeper knows it. */
type Held = {
  id: number
  kind: 'one_off' | 'recurring' | 'switch'
  whom: Whom
  /** When it applies next or now, as far as the keeper knows; null for a switch that is off. */
  fromMs: number | null
  toMs: number
  /** The path of the secret address of a switch, without `/start`. */
  address: string
  promised: Promised[]
  /** A change of it was not taken, so that its keeper does not know any more how it stands. */
  isDoubted: boolean
}

type Place = { send: Send; url: string; idOf: Map<number, number> }

/** They know targets and jobs by number; `idOf` has the ids of their monitors. */
export function windowPeople(scope: Scope, { send, url, idOf }: Place): WindowPeople {
  const stop = new AbortController()
  let running: Promise<void>[] = []
  const people: WindowPeople = { changes: [], promised: [], begin, end }
  scope.after(end)

  function begin(random: () => number) {
    running = Array.from({ length: PEOPLE }, () => work(random))
  }

  async function end() {
    stop.abort()
    await Promise.all(running)
  }

  async function work(random: () => number) {
    const held: Held[] = []
    while (!stop.signal.aborted) {
      const window = held[Math.trunc(random() * held.length)]
      if (window && (held.length === MOST_WINDOWS || random() < 0.7)) {
        const isOver = window.kind !== 'switch' && window.toMs <= Date.now()
        if (isOver || window.isDoubted || random() < 0.1) {
          await remove(window)
          held.splice(held.indexOf(window), 1)
        } else await change(window, random)
      } else held.push(...(await create(random)))
      await delay(random() * LONGEST_PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  /** Sends a change and writes down what came of it; null where it was not taken. */
  async function carryOut(what: string, window: Held | null, whom: Whom, request: () => Promise<Answer>) {
    const fromMs = Date.now()
    // What was promised before holds until now.
    for (const promised of window?.promised ?? []) promised.toMs = Math.min(promised.toMs, fromMs)
    const change: Change = {
      window: window?.id ?? null,
      what,
      whom,
      fromMs,
      toMs: Number.POSITIVE_INFINITY,
      isTaken: false,
    }
    people.changes.push(change)
    const answer = await request().catch(() => null)
    const isAnswered = answer !== null && answer.status < 500
    change.toMs = Date.now() + (isAnswered ? 0 : GIVEN_UP_MS)
    change.isTaken = isAnswered && answer.status < 300
    if (window && !change.isTaken) window.isDoubted = true
    return change.isTaken ? { body: answer?.body?.data, fromMs, toMs: change.toMs } : null
  }

  function promise(
    window: Held,
    what: string,
    isApplying: boolean,
    fromMs: number,
    toMs = Number.POSITIVE_INFINITY,
  ) {
    const promised = { window: window.id, what, isApplying, fromMs, toMs }
    window.promised.push(promised)
    people.promised.push(promised)
  }

  /** That it applies from a moment to before another, but not sooner than it was asked for, and not after. */
  function promiseSpan(window: Held, what: string, askedMs: number) {
    const { fromMs, toMs } = window
    if (fromMs === null) return promise(window, what, false, askedMs)
    if (fromMs > askedMs) promise(window, what, false, askedMs, fromMs)
    promise(window, what, true, Math.max(fromMs, askedMs), toMs)
    promise(window, what, false, Math.max(toMs, askedMs))
  }

  const subjectsOf = (whom: Whom) => ({
    all_subjects: whom === 'everything',
    monitor_ids: whom === 'everything' ? [] : whom.map((number) => idOf.get(number)),
  })

  function someOf(random: () => number): Whom {
    if (random() < 0.1) return 'everything'
    const share = 0.1 + random() * 0.4
    const some = [...idOf.keys()].filter(() => random() < share)
    return some.length > 0 ? some : [0]
  }

  function fieldsOf(held: Pick<Held, 'kind' | 'whom' | 'fromMs' | 'toMs'>) {
    const { kind, whom, fromMs, toMs } = held
    const shared = { kind, name: 'Works', ...subjectsOf(whom) }
    if (kind === 'switch') return { ...shared, max_minutes: 3 }
    const [from, to] = [fromMs ?? 0, toMs]
    if (kind === 'one_off')
      return { ...shared, starts_at: new Date(from).toISOString(), ends_at: new Date(to).toISOString() }
    return {
      ...shared,
      local_start: wallTime(from),
      time_zone: WALL_ZONE.name,
      duration_minutes: Math.round((to - from) / MINUTE_MS),
      rule: 'FREQ=DAILY',
    }
  }

  const minutesBy = (random: () => number) => MINUTES[random() < 0.7 ? 0 : 1]

  async function create(random: () => number): Promise<Held[]> {
    const kind = (['now', 'one_off', 'recurring', 'switch'] as const)[Math.trunc(random() * 4)] ?? 'now'
    const whom = someOf(random)
    const lastsMs = minutesBy(random) * MINUTE_MS
    const held: Held = {
      id: 0,
      kind: 'switch',
      whom,
      fromMs: null,
      toMs: 0,
      address: '',
      promised: [],
      isDoubted: false,
    }
    if (kind === 'now') {
      const monitors = whom === 'everything' ? [...idOf.keys()] : whom
      const { monitor_ids } = subjectsOf(monitors)
      const done = await carryOut(kind, null, monitors, () =>
        send('POST', '/maintenance-windows/now', { monitor_ids, minutes: lastsMs / MINUTE_MS }),
      )
      if (!done) return []
      Object.assign(held, { id: done.body.id, kind: 'one_off', whom: monitors })
      Object.assign(held, {
        fromMs: Date.parse(done.body.fields.starts_at),
        toMs: Date.parse(done.body.fields.ends_at),
      })
      promise(held, kind, true, done.toMs, done.fromMs + lastsMs)
      promise(held, kind, false, done.toMs + lastsMs)
      return [held]
    }
    if (kind !== 'switch') {
      const soonMs = Date.now() + random() * 20_000
      const fromMs = kind === 'one_off' ? Math.trunc(soonMs) : Math.round(soonMs / MINUTE_MS) * MINUTE_MS
      Object.assign(held, { kind, fromMs, toMs: fromMs + lastsMs })
    }
    const done = await carryOut(`create ${kind}`, null, whom, () =>
      send('POST', '/maintenance-windows', fieldsOf(held)),
    )
    if (!done) return []
    held.id = done.body.id
    if (kind === 'switch') held.address = new URL(done.body.addresses.start).pathname.replace(/\/start$/, '')
    promiseSpan(held, `create ${kind}`, done.toMs)
    return [held]
  }

  async function remove(window: Held) {
    const done = await carryOut('delete', window, window.whom, () =>
      send('DELETE', `/maintenance-windows/${window.id}`),
    )
    if (done) promise(window, 'delete', false, done.toMs)
  }

  /** Does one of the things that can be done with it now. */
  async function change(window: Held, random: () => number) {
    const nowMs = Date.now()
    const { fromMs, toMs } = window
    const chance = random()
    if (chance < 0.2) return edit(window, random)
    if (fromMs === null || toMs <= nowMs) return turnOn(window, random)
    if (fromMs > nowMs) return chance < 0.5 ? callOff(window) : undefined
    if (chance < 0.4) return window.kind === 'switch' ? turnOn(window, random) : prolong(window)
    return endNow(window, random)
  }

  async function edit(window: Held, random: () => number) {
    const next = { ...window, whom: someOf(random) }
    const nowMs = Date.now()
    if (window.kind === 'one_off') next.toMs = Math.max(window.fromMs ?? nowMs, nowMs) + MINUTE_MS
    // A switch that is on goes on for the new subjects.
    const whom = eitherOf(window.whom, next.whom)
    const done = await carryOut('edit', window, whom, () =>
      send('PATCH', `/maintenance-windows/${window.id}`, fieldsOf(next)),
    )
    if (!done) return
    Object.assign(window, { whom: next.whom, toMs: next.toMs })
    promiseSpan(window, 'edit', done.toMs)
  }

  async function turnOn(window: Held, random: () => number) {
    const minutes = minutesBy(random)
    const done = await carryOut('turn on', window, window.whom, () =>
      random() < 0.6
        ? byAddress(`${window.address}/start?minutes=${minutes}`)
        : send('POST', `/maintenance-windows/${window.id}/start`, { minutes }),
    )
    if (!done) return
    Object.assign(window, { fromMs: done.fromMs, toMs: done.toMs + minutes * MINUTE_MS })
    promise(window, 'turn on', true, done.toMs, done.fromMs + minutes * MINUTE_MS)
    promise(window, 'turn on', false, done.toMs + minutes * MINUTE_MS)
  }

  async function prolong(window: Held) {
    const done = await carryOut('prolong', window, window.whom, () =>
      send('POST', `/maintenance-windows/${window.id}/prolong`, { minutes: 1 }),
    )
    if (!done) return
    window.toMs += MINUTE_MS
    promiseSpan(window, 'prolong', done.toMs)
  }

  async function endNow(window: Held, random: () => number) {
    const isByAddress = window.kind === 'switch' && random() < 0.6
    const done = await carryOut('end', window, window.whom, () =>
      isByAddress
        ? byAddress(`${window.address}/stop`)
        : send('POST', `/maintenance-windows/${window.id}/end`),
    )
    if (done) over(window, 'end', done.toMs)
  }

  async function callOff(window: Held) {
    const starts_at = new Date(window.fromMs ?? 0).toISOString()
    const done = await carryOut('call off', window, window.whom, () =>
      send('POST', `/maintenance-windows/${window.id}/call-off`, { starts_at }),
    )
    if (done) over(window, 'call off', done.toMs)
  }

  function over(window: Held, what: string, nowMs: number) {
    Object.assign(window, { fromMs: window.kind === 'switch' ? null : window.fromMs, toMs: nowMs })
    promise(window, what, false, nowMs)
  }

  async function byAddress(path: string): Promise<Answer> {
    const { status, headers } = await ask(url + path, { method: 'POST' })
    return { status, headers, body: null }
  }

  return people
}

function eitherOf(some: Whom, others: Whom): Whom {
  if (some === 'everything' || others === 'everything') return 'everything'
  return [...new Set([...some, ...others])]
}
