import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asSentence } from '../../../dashboard/data/problem.ts'
import { inFormWords } from '../../../dashboard/forms/maintenance/fault-words.ts'
import {
  bodyOf,
  judgeWindow,
  newWindowDraft,
  WINDOW_NAMES,
  type WindowKind,
  windowDraft,
} from '../../../dashboard/forms/maintenance/window-fields.ts'
import { untilNextTurn } from '../../../dashboard/parts/maintenance/windows.ts'
import { readZoned, sayOffsets } from '../../../dashboard/parts/maintenance/zoned-text.ts'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { oneOff, recurring, sent, switchWindow } from '../../support/maintenance/windows.ts'

/** The part of a window's answer that a form reads. */
const shown = (fields: Record<string, unknown>) => ({ fields }) as unknown as WindowDetail

const fresh = (changes: object) => ({
  ...newWindowDraft(new Date('2027-03-01T10:20:00Z'), { kind: 'monitor', id: 7 }),
  name: 'Move',
  ...changes,
})

describe('the form of a window', () => {
  const windows = [
    sent(oneOff('2027-10-31T00:30:17.250Z', '2027-10-31T01:30:44.000Z')),
    sent(recurring({ exceptions: ['2027-02-07', '2027-03-07'], all_subjects: false, monitor_ids: [3, 12] })),
    sent(switchWindow({ ends_when_passing: true, max_minutes: 90 })),
  ]
  for (const fields of windows) {
    it(`sends a ${fields.kind} back as it came, to the second, where nothing was touched`, () => {
      const kind = fields.kind as WindowKind
      assert.deepEqual(bodyOf(kind, windowDraft(shown(fields)), shown(fields)), fields)
    })
  }

  it('takes the times of a one-off window as the clocks of its zone show them', () => {
    const times = { starts_at: '2027-03-28T02:30', ends_at: '2027-03-28T04:00' }
    const body = bodyOf('one_off', fresh({ ...times, time_zone: 'Europe/Berlin' }))
    assert.equal(body.starts_at, '2027-03-28T01:30:00.000Z', 'a time that does not occur is moved on')
    assert.equal(body.ends_at, '2027-03-28T02:00:00.000Z')
    assert.equal('time_zone' in body, false)
  })

  it('begins with the next full hour, and with the monitor that it was opened for', () => {
    const body = bodyOf('one_off', fresh({}))
    assert.deepEqual(
      [body.starts_at, body.ends_at, body.monitor_ids],
      ['2027-03-01T11:00:00.000Z', '2027-03-01T12:00:00.000Z', [7]],
    )
    for (const kind of ['one_off', 'recurring', 'switch'] as const)
      assert.deepEqual(judgeWindow(kind, fresh({})).ok, true, kind)
  })

  const faults: [kind: WindowKind, changes: object, field: string][] = [
    ['one_off', { time_zone: 'Berlin' }, 'time_zone'],
    ['one_off', { ends_at: '' }, 'ends_at'],
    ['recurring', { time_zone: '' }, 'time_zone'],
    ['recurring', { rule: 'FREQ=HOURLY' }, 'rule'],
    ['recurring', { duration_minutes: '90 min' }, 'duration_minutes'],
    ['switch', { max_minutes: '1441' }, 'max_minutes'],
    ['switch', { name: ' ' }, 'name'],
  ]
  for (const [kind, changes, field] of faults) {
    it(`says of a ${kind} with ${JSON.stringify(changes)} that ${field} is wrong`, () => {
      const judged = judgeWindow(kind, fresh(changes))
      assert.deepEqual(judged.ok ? [] : Object.keys(judged.errors), [field])
    })
  }

  it('sends no monitors with a window of everything', () => {
    assert.deepEqual(bodyOf('switch', fresh({ all_subjects: true })).monitor_ids, [])
  })
})

/** Every field with some label. */
const LABELS = Object.fromEntries(
  Object.values(WINDOW_NAMES)
    .flat()
    .map((name) => [name, { label: `${asSentence(`${name.replaceAll('_', ' ')} `).trim()} (so)` }]),
)

describe('a message about a field', () => {
  const said: [message: string, words: string][] = [
    [
      'ends_at must be after starts_at, 2027-03-28T01:30:00.000000Z, got 2027-03-28T00:30:00.000000Z',
      'Ends at must be after Starts at, 2027-03-28 03:30, got 2027-03-28 01:30',
    ],
    [
      'monitor_ids must have at least 1 entry unless server_ids or site_ids has one or all_subjects is true, got 0',
      'Monitor ids must have at least 1 entry unless Server ids or Site ids has one or All subjects is true, got 0',
    ],
    ['rule FREQ must be one of DAILY, got "name"', 'Rule FREQ must be one of DAILY, got "name"'],
    ['name must be a name', 'Name must be a name'],
  ]
  for (const [message, words] of said) {
    it(words, () => assert.equal(inFormWords(message, LABELS, 'Europe/Berlin'), words))
  }

  it('is in the words of the form, whatever is wrong', () => {
    const wrong = { starts_at: '', ends_at: '', local_start: '', time_zone: 'Berlin', rule: 'FREQ=HOURLY' }
    const draft = fresh({ ...wrong, name: '', duration_minutes: '', max_minutes: '', monitor_ids: 'x' })
    for (const kind of ['one_off', 'recurring', 'switch'] as const) {
      const judged = judgeWindow(kind, draft)
      assert.equal(judged.ok, false)
      for (const message of judged.ok ? [] : Object.values(judged.errors).flat()) {
        assert.match(message, /^[a-z]/)
        assert.doesNotMatch(inFormWords(message, LABELS, ''), /^[a-z]|[a-z]_[a-z]/)
      }
    }
  })

  it('begins a sentence with a name that is a word', () => {
    assert.equal(asSentence('window must be running'), 'Window must be running')
    assert.equal(asSentence('monitor_ids must exist'), 'monitor_ids must exist')
  })
})

describe('the time of a clock in a zone', () => {
  it('is read with its offset', () => {
    const { time, offset } = readZoned('2027-03-28T03:30+02:00')
    assert.deepEqual([time, offset], ['03:30', '+02:00'])
    assert.equal(sayOffsets('2027-03-28T01:30+01:00', '2027-03-28T04:30+02:00'), '+01:00, then +02:00')
  })
})

describe('a list of windows', () => {
  it('is asked for again when the next one begins or ends, within the hour', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-03-01T10:00:00Z') })
    const span = (from: string, to: string) => ({
      starts_at: `2027-03-01T${from}:00Z`,
      ends_at: `2027-03-01T${to}:00Z`,
    })
    assert.equal(untilNextTurn(undefined), false)
    assert.equal(untilNextTurn([]), 3_600_500)
    const running = { current: span('09:00', '10:20'), next: span('15:00', '16:00') }
    assert.equal(untilNextTurn([running, { current: null, next: span('10:05', '11:00') }]), 300_500)
    assert.equal(untilNextTurn([running]), 1_200_500)
    // It is over, and the answer has not come yet.
    assert.equal(untilNextTurn([{ current: span('08:00', '09:59'), next: null }]), 3_600_500)
  })
})
