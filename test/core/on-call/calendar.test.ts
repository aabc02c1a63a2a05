import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { scheduleCalendar } from '../../../src/core/on-call/calendar.ts'
import { layer } from '../../support/on-call/schedules.ts'

const NIGHT = {
  id: 5,
  name: 'Night, shop',
  time_zone: 'Europe/Berlin',
  participants: [
    { key: 1, name: 'Ada' },
    { key: 2, name: 'Grace; Hopper' },
  ],
  layers: [layer()],
  overrides: [
    { participant: 1, startsAt: new Date('2027-03-23T00:00Z'), endsAt: new Date('2027-03-23T12:00Z') },
  ],
}
const HOST = 'upbeat.example.com'

function eventsAt(now: string, changes: Partial<typeof NIGHT> = {}) {
  const text = scheduleCalendar({ ...NIGHT, ...changes }, { host: HOST, now: new Date(now) })
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  return events.map((component) => new ICAL.Event(component))
}

test('the running shift is there whole, then those of ninety days, in UTC', () => {
  const events = eventsAt('2027-03-20T12:00Z')
  assert.deepEqual(
    events.slice(0, 5).map((event) => [event.summary, event.startDate.toString(), event.endDate.toString()]),
    [
      ['Ada: Night, shop', '2027-03-15T08:00:00Z', '2027-03-22T08:00:00Z'],
      ['Grace; Hopper: Night, shop', '2027-03-22T08:00:00Z', '2027-03-23T00:00:00Z'],
      ['Ada: Night, shop', '2027-03-23T00:00:00Z', '2027-03-23T12:00:00Z'],
      ['Grace; Hopper: Night, shop', '2027-03-23T12:00:00Z', '2027-03-29T07:00:00Z'],
      ['Ada: Night, shop', '2027-03-29T07:00:00Z', '2027-04-05T07:00:00Z'],
    ],
  )
  assert.equal(events.at(-1)?.endDate.toString(), '2027-06-19T00:00:00Z')
  assert.equal(events[0]?.uid, `on-call-5-20270315T080000Z@${HOST}`)
  assert.equal(new Set(events.map(({ uid }) => uid)).size, events.length)
})

test('a gap is no event', () => {
  const office = layer({ rotation: [1], hours: { days: ['MO'], from: '09:00', until: '17:00' } })
  const [first, second] = eventsAt('2027-03-20T12:00Z', { layers: [office], overrides: [] })
  assert.deepEqual(
    [first?.startDate.toString(), first?.endDate.toString(), second?.startDate.toString()],
    ['2027-03-22T08:00:00Z', '2027-03-22T16:00:00Z', '2027-03-29T07:00:00Z'],
  )
})

test('one that never ends says the same all day', () => {
  const alone = { layers: [layer({ rotation: [1] })], overrides: [] }
  const [morning, evening] = ['2027-06-20T06:00Z', '2027-06-20T23:00Z'].map((now) => eventsAt(now, alone))
  assert.equal(morning?.length, 1)
  assert.deepEqual(
    evening?.[0]?.toString(),
    morning?.[0]?.toString().replace(/DTSTAMP:\S+/, 'DTSTAMP:20270620T230000Z'),
  )
})
