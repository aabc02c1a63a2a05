import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  MAX_LAYERS,
  MAX_PARTICIPANT_CONTACTS,
  MAX_PARTICIPANTS,
  Override,
  overrideFaults,
  Schedule,
  scheduleFaults,
} from '../../../src/core/on-call/schedule.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { layer } from '../../support/on-call/schedules.ts'

const NOW = new Date('2027-01-10T12:00:00Z')
const ADA = { key: 1, name: 'Ada', user_id: null, contact_ids: [7] }
const GRACE = { key: 2, name: 'Grace', user_id: 3, contact_ids: [8, 9] }
const NIGHT = {
  name: 'Night',
  time_zone: 'Europe/Berlin',
  participants: [ADA, GRACE],
  layers: [layer({ hours: { days: ['SA', 'SU'], from: '22:00', until: '06:00' } })],
}

function faultsOf(changes: object): string[] {
  const parsed = parseFields(Schedule, { ...NIGHT, ...changes }, scheduleFaults)
  return parsed.ok ? [] : Object.keys(parsed.errors)
}

const withLayer = (changes: object) => ({ layers: [{ ...layer(), ...changes }] })
const many = <T>(count: number, one: (index: number) => T) => Array.from({ length: count }, (_, i) => one(i))

describe('a schedule', () => {
  test('is taken as it is sent', () => {
    assert.deepEqual(parseFields(Schedule, NIGHT, scheduleFaults), { ok: true, value: NIGHT })
  })

  test('may leave out what has a default', () => {
    const { every, hand_over_day, hours, ...bare } = layer()
    const { user_id, ...ada } = ADA
    const parsed = parseFields(
      Schedule,
      { ...NIGHT, participants: [ada, GRACE], layers: [bare] },
      scheduleFaults,
    )
    assert.deepEqual(parsed, { ok: true, value: { ...NIGHT, layers: [layer()] } })
  })

  for (const [what, changes, field] of [
    ['no name', { name: ' ' }, 'name'],
    ['a zone that is none', { time_zone: '+02:00' }, 'time_zone'],
    ['nobody', { participants: [] }, 'participants'],
    [
      'too many',
      { participants: many(MAX_PARTICIPANTS + 1, (i) => ({ ...ADA, key: i + 1 })) },
      'participants',
    ],
    ['one key twice', { participants: [ADA, { ...GRACE, key: 1 }, GRACE] }, 'participants.1.key'],
    [
      'a participant without a contact',
      { participants: [ADA, { ...GRACE, contact_ids: [] }] },
      'participants.1.contact_ids',
    ],
    [
      'a participant with too many contacts',
      { participants: [ADA, { ...GRACE, contact_ids: many(MAX_PARTICIPANT_CONTACTS + 1, (i) => i + 1) }] },
      'participants.1.contact_ids',
    ],
    ['no layer', { layers: [] }, 'layers'],
    ['too many layers', { layers: many(MAX_LAYERS + 1, () => layer()) }, 'layers'],
    ['a layer of nobody', withLayer({ rotation: [] }), 'layers.0.rotation'],
    ['a layer of a stranger', withLayer({ rotation: [1, 9] }), 'layers.0.rotation'],
    ['turns of months', withLayer({ unit: 'month' }), 'layers.0.unit'],
    ['turns of no time', withLayer({ every: 0 }), 'layers.0.every'],
    ['turns that are too long', withLayer({ every: 13 }), 'layers.0.every'],
    ['a hand-over at no time', withLayer({ hand_over_at: '24:00' }), 'layers.0.hand_over_at'],
    ['a start that is no day', withLayer({ starts_on: '2027-02-30' }), 'layers.0.starts_on'],
    [
      'hours of no day',
      withLayer({ hours: { days: [], from: '09:00', until: '17:00' } }),
      'layers.0.hours.days',
    ],
    [
      'hours to no time',
      withLayer({ hours: { days: ['MO'], from: '09:00', until: '9' } }),
      'layers.0.hours.until',
    ],
  ] as const) {
    test(`with ${what} is refused by the name of the field`, () => {
      assert.deepEqual(faultsOf(changes), [field])
    })
  }
})

describe('an override', () => {
  const faults = (changes: object) => {
    const sent = {
      participant: 1,
      starts_at: '2027-01-11T00:00:00Z',
      ends_at: '2027-01-12T00:00:00+01:00',
      ...changes,
    }
    const parsed = parseFields(Override, sent, (valid) => overrideFaults(valid, NIGHT.participants, NOW))
    return parsed.ok ? [] : Object.keys(parsed.errors)
  }

  test('is taken, sixty days at most, and may have begun', () => {
    assert.deepEqual(faults({}), [])
    assert.deepEqual(faults({ ends_at: '2027-03-12T00:00:00Z' }), [])
    assert.deepEqual(faults({ starts_at: '2027-01-01T00:00:00Z' }), [])
  })

  for (const [what, changes, field] of [
    ['of a stranger', { participant: 3 }, 'participant'],
    ['that ends as it starts', { ends_at: '2027-01-11T00:00:00Z' }, 'ends_at'],
    ['that ends before it starts', { ends_at: '2027-01-10T13:00:00Z' }, 'ends_at'],
    ['that is too long', { ends_at: '2027-03-12T00:00:00.001Z' }, 'ends_at'],
    ['that is over', { starts_at: '2027-01-09T00:00:00Z', ends_at: '2027-01-10T12:00:00Z' }, 'ends_at'],
    ['at a time without a zone', { starts_at: '2027-01-11T00:00' }, 'starts_at'],
  ] as const) {
    test(`${what} is refused`, () => assert.deepEqual(faults(changes), [field]))
  }
})
