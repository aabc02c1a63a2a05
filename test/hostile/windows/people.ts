import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '../../support/scope.ts'
import { type Held, MINUTE_MS, type Place, type WindowDesk, windowDesk } from './desk.ts'
import type { Change, Promised, Whom } from './truth.ts'

/** People and scripts that work at the same time, each with windows of their own. */
const PEOPLE = 3
const LONGEST_PAUSE_MS = 5_000
const MOST_WINDOWS = 2
const SOON_MS = 20_000

type Random = () => number

/** Those who work with maintenance windows, and what they did and were told. */
export type WindowPeople = {
  changes: Change[]
  promised: Promised[]
  begin(random: Random): void
  /** Resolves when nobody changes anything any more. */
  end(): Promise<void>
}

export function windowPeople(scope: Scope, place: Place): WindowPeople {
  const desk = windowDesk(place)
  const stop = new AbortController()
  let running: Promise<void>[] = []
  scope.after(end)

  function begin(random: Random) {
    running = Array.from({ length: PEOPLE }, () => work(random))
  }

  async function end() {
    stop.abort()
    await Promise.all(running)
  }

  async function work(random: Random) {
    const held: Held[] = []
    while (!stop.signal.aborted) {
      const window = held[Math.trunc(random() * held.length)]
      if (!window || (held.length < MOST_WINDOWS && random() < 0.3))
        held.push(...(await create(desk, random)))
      else if (isDone(window) || random() < 0.1) {
        await remove(desk, window)
        held.splice(held.indexOf(window), 1)
      } else await change(desk, window, random)
      await delay(random() * LONGEST_PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  return { changes: desk.changes, promised: desk.promised, begin, end }
}

function isDone({ kind, toMs, isDoubted }: Held): boolean {
  return isDoubted || (kind !== 'switch' && toMs <= Date.now())
}

async function create(desk: WindowDesk, random: Random): Promise<Held[]> {
  const kind = (['now', 'one_off', 'recurring', 'switch'] as const)[Math.trunc(random() * 4)] ?? 'now'
  const whom = someOf(desk, random)
  const lastsMs = minutesBy(random) * MINUTE_MS
  const soonMs = Date.now() + random() * SOON_MS
  switch (kind) {
    case 'now':
      return createNow(desk, whom === 'everything' ? desk.everybody : whom, lastsMs)
    case 'switch':
      return createPlanned(desk, { kind, whom, fromMs: null, toMs: 0 })
    case 'one_off': {
      const fromMs = Math.trunc(soonMs)
      return createPlanned(desk, { kind, whom, fromMs, toMs: fromMs + lastsMs })
    }
    case 'recurring': {
      // To the minute, so that some begin before they are written.
      const fromMs = Math.round(soonMs / MINUTE_MS) * MINUTE_MS
      return createPlanned(desk, { kind, whom, fromMs, toMs: fromMs + lastsMs })
    }
  }
}

async function createNow(desk: WindowDesk, whom: number[], lastsMs: number): Promise<Held[]> {
  const body = { monitor_ids: desk.idsOf(whom), minutes: lastsMs / MINUTE_MS }
  const done = await desk.carryOut('now', null, whom, () =>
    desk.send('POST', '/maintenance-windows/now', body),
  )
  if (!done) return []
  const { id, fields } = done.body
  const [fromMs, toMs] = [Date.parse(fields.starts_at), Date.parse(fields.ends_at)]
  const window = heldOf({ kind: 'one_off', whom, fromMs, toMs }, id)
  desk.promise(window, 'now', true, done.toMs, done.fromMs + lastsMs)
  desk.promise(window, 'now', false, done.toMs + lastsMs)
  return [window]
}

type Planned = Pick<Held, 'kind' | 'whom' | 'fromMs' | 'toMs'>

async function createPlanned(desk: WindowDesk, planned: Planned): Promise<Held[]> {
  const what = `create ${planned.kind}`
  const done = await desk.carryOut(what, null, planned.whom, () =>
    desk.send('POST', '/maintenance-windows', desk.fieldsOf(planned)),
  )
  if (!done) return []
  const { id, addresses } = done.body
  const address = addresses ? new URL(addresses.start).pathname.replace(/\/start$/, '') : ''
  const window = heldOf(planned, id, address)
  desk.promiseSpan(window, what, done.toMs)
  return [window]
}

function heldOf(planned: Planned, id: number, address = ''): Held {
  return { ...planned, id, address, promised: [], isDoubted: false }
}

async function remove(desk: WindowDesk, window: Held): Promise<void> {
  const done = await desk.carryOut('delete', window, window.whom, () =>
    desk.send('DELETE', `/maintenance-windows/${window.id}`),
  )
  if (done) desk.promise(window, 'delete', false, done.toMs)
}

/** Does one of the things that can be done with it now. */
async function change(desk: WindowDesk, window: Held, random: Random): Promise<void> {
  const nowMs = Date.now()
  const { kind, fromMs, toMs } = window
  const chance = random()
  if (chance < 0.2) return edit(desk, window, random)
  if (fromMs === null || toMs <= nowMs) return turnOn(desk, window, random)
  if (fromMs > nowMs) return chance < 0.5 ? callOff(desk, window) : undefined
  if (chance < 0.4) return kind === 'switch' ? turnOn(desk, window, random) : prolong(desk, window)
  return endNow(desk, window, random)
}

/** Gives it other subjects, and a one-off window another end; what is running goes on for them. */
async function edit(desk: WindowDesk, window: Held, random: Random): Promise<void> {
  const { kind, fromMs, toMs } = window
  const whom = someOf(desk, random)
  const endMs = kind === 'one_off' ? Math.max(fromMs ?? 0, Date.now()) + MINUTE_MS : toMs
  const fields = desk.fieldsOf({ kind, whom, fromMs, toMs: endMs })
  const done = await desk.carryOut('edit', window, eitherOf(window.whom, whom), () =>
    desk.send('PATCH', `/maintenance-windows/${window.id}`, fields),
  )
  if (!done) return
  Object.assign(window, { whom, toMs: endMs })
  desk.promiseSpan(window, 'edit', done.toMs)
}

async function turnOn(desk: WindowDesk, window: Held, random: Random): Promise<void> {
  const minutes = minutesBy(random)
  const isByAddress = random() < 0.6
  const done = await desk.carryOut('turn on', window, window.whom, () =>
    isByAddress
      ? desk.byAddress(`${window.address}/start?minutes=${minutes}`)
      : desk.send('POST', `/maintenance-windows/${window.id}/start`, { minutes }),
  )
  if (!done) return
  Object.assign(window, { fromMs: done.fromMs, toMs: done.toMs + minutes * MINUTE_MS })
  desk.promise(window, 'turn on', true, done.toMs, done.fromMs + minutes * MINUTE_MS)
  desk.promise(window, 'turn on', false, done.toMs + minutes * MINUTE_MS)
}

async function prolong(desk: WindowDesk, window: Held): Promise<void> {
  const done = await desk.carryOut('prolong', window, window.whom, () =>
    desk.send('POST', `/maintenance-windows/${window.id}/prolong`, { minutes: 1 }),
  )
  if (!done) return
  window.toMs += MINUTE_MS
  desk.promiseSpan(window, 'prolong', done.toMs)
}

async function endNow(desk: WindowDesk, window: Held, random: Random): Promise<void> {
  const isByAddress = window.kind === 'switch' && random() < 0.6
  const done = await desk.carryOut('end', window, window.whom, () =>
    isByAddress
      ? desk.byAddress(`${window.address}/stop`)
      : desk.send('POST', `/maintenance-windows/${window.id}/end`),
  )
  if (done) isOver(desk, window, 'end', done.toMs)
}

async function callOff(desk: WindowDesk, window: Held): Promise<void> {
  const starts_at = new Date(window.fromMs ?? 0).toISOString()
  const done = await desk.carryOut('call off', window, window.whom, () =>
    desk.send('POST', `/maintenance-windows/${window.id}/call-off`, { starts_at }),
  )
  if (done) isOver(desk, window, 'call off', done.toMs)
}

function isOver(desk: WindowDesk, window: Held, what: string, nowMs: number): void {
  Object.assign(window, { fromMs: window.kind === 'switch' ? null : window.fromMs, toMs: nowMs })
  desk.promise(window, what, false, nowMs)
}

function someOf({ everybody }: WindowDesk, random: Random): Whom {
  if (random() < 0.1) return 'everything'
  const share = 0.1 + random() * 0.4
  const some = everybody.filter(() => random() < share)
  return some.length > 0 ? some : everybody.slice(0, 1)
}

/** Seldom two: the end of a window that nobody ends comes often enough. */
function minutesBy(random: Random): number {
  return random() < 0.8 ? 1 : 2
}

function eitherOf(some: Whom, others: Whom): Whom {
  if (some === 'everything' || others === 'everything') return 'everything'
  return [...new Set([...some, ...others])]
}
