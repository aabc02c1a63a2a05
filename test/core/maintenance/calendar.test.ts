import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { calendarOf, MAX_CALENDAR_EVENTS } from '../../../src/core/maintenance/calendar.ts'
import type { WindowTimes } from '../../../src/core/maintenance/occurrence.ts'
import { oneOff, recurring, switchWindow } from '../../support/maintenance/windows.ts'

const NOW = new Date('2027-01-10T12:00:00Z')
const TERMS = { title: 'Maintenance of ACME, Inc.', host: 'upbeat.example.com', now: NOW }

const entry = (id: number, times: WindowTimes, name = 'Router upgrade', note = '') => ({
  id,
  name,
  note,
  times,
})

function parsed(text: string): ICAL.Event[] {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component))
}

test('a parser reads each occurrence of twelve months, in order and in UTC', () => {
  const text = calendarOf(
    [
      entry(1, recurring()),
      entry(2, oneOff('2027-01-10T11:00Z', '2027-01-10T13:00Z')),
      entry(3, oneOff('2027-01-09T11:00Z', '2027-01-10T12:00Z')),
      entry(4, switchWindow()),
      entry(5, oneOff('2028-01-12T11:00Z', '2028-01-12T13:00Z')),
    ],
    TERMS,
  )
  const events = parsed(text)
  assert.deepEqual(
    events.slice(0, 3).map((event) => [event.uid, event.startDate.toString(), event.endDate.toString()]),
    [
      ['2-20270110T110000Z@upbeat.example.com', '2027-01-10T11:00:00Z', '2027-01-10T13:00:00Z'],
      ['1-20270207T010000Z@upbeat.example.com', '2027-02-07T01:00:00Z', '2027-02-07T03:00:00Z'],
      ['1-20270307T010000Z@upbeat.example.com', '2027-03-07T01:00:00Z', '2027-03-07T03:00:00Z'],
    ],
  )
  assert.equal(events.length, 13)
  assert.equal(new Set(events.map(({ uid }) => uid)).size, 13)
})

test('one that goes on from one month into the next is there once', () => {
  const events = parsed(calendarOf([entry(1, oneOff('2027-01-20T00:00Z', '2027-02-19T00:00Z'))], TERMS))
  assert.equal(events.length, 1)
})

test('names and notes come back as they were, whatever they are made of', () => {
  const texts = [
    'Commas, semicolons; colons: and \\ "quotes"',
    `Long ${'ünïcödé and 𝄞 clefs, '.repeat(30)}`,
    'BEGIN:VEVENT',
    'a\\nb',
  ]
  for (const name of texts) {
    const note = `${name}\nnext line\n\nand ${name}`
    const [event] = parsed(
      calendarOf([entry(1, oneOff('2027-02-01T00:00Z', '2027-02-02T00:00Z'), name, note)], TERMS),
    )
    assert.equal(event?.summary, name)
    assert.equal(event?.description, note)
  }
})

test('lines end in CRLF, have at most 75 octets, and no control character', () => {
  const note = `${'ü'.repeat(200)}\r\n\u0007${'😀'.repeat(100)}\rtab\tend`
  const text = calendarOf([entry(1, recurring(), 'Ä'.repeat(255), note)], TERMS)
  assert.ok(text.endsWith('END:VCALENDAR\r\n'))
  const lines = text.slice(0, -2).split('\r\n')
  for (const line of lines) {
    assert.ok(Buffer.byteLength(line) <= 75, line)
    assert.ok(line.isWellFormed())
    assert.doesNotMatch(line, /\p{Cc}/u)
  }
})

test('what a team without windows subscribes to is a calendar', () => {
  assert.deepEqual(parsed(calendarOf([], TERMS)), [])
})

test('of more events than fit the first are there', () => {
  const windows = Array.from({ length: 200 }, (_, id) =>
    entry(id, recurring({ rule: 'FREQ=DAILY', duration_minutes: 5 })),
  )
  const text = calendarOf(windows, TERMS)
  const starts = [...text.matchAll(/^DTSTART:(.+)$/gm)].map(([, start]) => start)
  assert.equal(starts.length, MAX_CALENDAR_EVENTS)
  assert.deepEqual(starts.at(-1), '20270204T010000Z')
})
