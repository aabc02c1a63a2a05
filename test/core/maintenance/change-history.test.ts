import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { occurrencesBetween } from '../../../src/core/maintenance/occurrence.ts'
import { callOff, endNow, prolong, start, type TurnDecision } from '../../../src/core/maintenance/turn.ts'
import type { MaintenanceWindow } from '../../../src/core/maintenance/window.ts'
import { changeOf, cutAt } from '../../../src/core/maintenance/window-change.ts'
import {
  judgedWindows,
  type KeptOccurrence,
  type WindowRecord,
} from '../../../src/core/maintenance/window-record.ts'
import { oneOff, recurring, switchWindow } from '../../support/maintenance/windows.ts'

const HOUR_MS = 3_600_000
const BEGIN = Date.parse('2027-03-26T00:00Z')
const HOURS = 100

const WINDOWS: MaintenanceWindow[] = [
  // Over the night whose clocks change.
  { ...recurring({ rule: 'FREQ=DAILY', local_start: '2027-03-26T01:30', duration_minutes: 1_080 }) },
  { ...oneOff('2027-03-26T10:00Z', '2027-03-28T10:00Z') },
  switchWindow({ max_minutes: 600 }),
]

type Step = {
  afterMinutes: number
  what: 'rename' | 'subjects' | 'times' | 'end' | 'prolong' | 'start' | 'call off' | 'delete'
  size: number
}

const steps = fc.array(
  fc.record<Step>({
    afterMinutes: fc.integer({ min: 1, max: 720 }),
    what: fc.constantFrom(
      ...(['rename', 'subjects', 'times', 'end', 'prolong', 'start', 'call off', 'delete'] as const),
    ),
    size: fc.integer({ min: 1, max: 600 }),
  }),
  { minLength: 1, maxLength: 12 },
)

/** A window and what is kept of it, as the store has them. */
function storeOf(window: MaintenanceWindow) {
  let record: WindowRecord | null = { ...window, id: 7, since: new Date(BEGIN) }
  const kept = new Map<number, KeptOccurrence>()
  const keep = (rows: KeptOccurrence[]) => {
    for (const row of rows) kept.set(row.startsAt.getTime(), row)
  }
  const drop = (now: Date) => {
    for (const at of kept.keys()) if (at >= now.getTime()) kept.delete(at)
  }

  function change(next: MaintenanceWindow, now: Date) {
    if (!record) return
    const {
      since,
      keep: rows,
      dropsLater,
    } = changeOf({ window: record, kept: [...kept.values()] }, next, now)
    if (dropsLater) drop(now)
    keep(rows)
    record = { ...next, id: 7, since }
  }

  function turn(decision: TurnDecision) {
    if ('keep' in decision) keep(decision.keep)
  }

  return {
    take({ what, size }: Step, now: Date) {
      if (!record) return
      const whole = { window: record, kept: [...kept.values()] }
      const { id, since, ...fields } = record
      switch (what) {
        case 'rename':
          return change({ ...fields, name: `Name ${size}` }, now)
        case 'subjects':
          return change({ ...fields, all_subjects: false, monitor_ids: [size] }, now)
        case 'times':
          return change(otherTimes(fields, size), now)
        case 'end':
          return turn(endNow(whole, now, 'person'))
        case 'prolong':
          return turn(prolong(whole, now, size))
        case 'start':
          return turn(start(whole, now, size))
        case 'call off': {
          const next = occurrencesBetween(whole.window, now, new Date(now.getTime() + 48 * HOUR_MS)).at(-1)
          return next && turn(callOff(whole, now, next.startsAt))
        }
        case 'delete': {
          const rows = cutAt(whole, now)
          drop(now)
          keep(rows)
          record = null
        }
      }
    },
    /** The subjects that are covered in each minute of a range; none where it does not apply. */
    applied(fromMs: number, toMs: number): string[] {
      const [from, to] = [new Date(fromMs), new Date(toMs)]
      return judgedWindows(record ? [record] : [], [...kept.values()])
        .flatMap((window) =>
          occurrencesBetween(window, from, to).map(({ startsAt, endsAt }) => {
            const [start, end] = [Math.max(startsAt.getTime(), fromMs), Math.min(endsAt.getTime(), toMs)]
            return { start, end, of: window.all_subjects ? 'all' : window.monitor_ids.join() }
          }),
        )
        .sort((one, other) => one.start - other.start)
        .reduce<{ start: number; end: number; of: string }[]>((joined, one) => {
          const last = joined.at(-1)
          if (last && last.of === one.of && last.end >= one.start) last.end = Math.max(last.end, one.end)
          else joined.push(one)
          return joined
        }, [])
        .map(({ start, end, of }) => `${new Date(start).toISOString()} ${new Date(end).toISOString()} ${of}`)
    },
  }
}

function otherTimes(window: MaintenanceWindow, minutes: number): MaintenanceWindow {
  switch (window.kind) {
    case 'one_off':
      return { ...window, ends_at: new Date(window.ends_at.getTime() + minutes * 60_000) }
    case 'recurring':
      return { ...window, duration_minutes: minutes + 60 }
    case 'switch':
      return { ...window, max_minutes: minutes }
  }
}

/** Without the subjects, of which there is one kind at a time. */
const timesOf = (applied: string[]) => applied.map((one) => one.slice(0, 49))

for (const window of WINDOWS) {
  it(`whatever is done to a ${window.kind} window, what applied before stays as it was`, () => {
    const whatever = fc.property(steps, (taken) => {
      const store = storeOf(window)
      let nowMs = BEGIN
      for (const step of taken) {
        nowMs += step.afterMinutes * 60_000
        const past = store.applied(BEGIN, nowMs)
        const ahead = store.applied(nowMs, BEGIN + 3 * HOURS * HOUR_MS)
        store.take(step, new Date(nowMs))
        assert.deepEqual(store.applied(BEGIN, nowMs), past)
        const now = store.applied(nowMs, BEGIN + 3 * HOURS * HOUR_MS)
        if (step.what === 'rename') assert.deepEqual(now, ahead)
        if (step.what === 'subjects') assert.deepEqual(timesOf(now), timesOf(ahead))
        if (step.what === 'delete') assert.deepEqual(now, [])
        if (step.what === 'end')
          assert.ok(!now.some((one) => Date.parse(one.slice(0, 24)) === nowMs), now.join())
      }
    })
    fc.assert(whatever, { numRuns: 150 })
  })
}
