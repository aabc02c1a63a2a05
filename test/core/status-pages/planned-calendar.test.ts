import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { plannedCalendar } from '../../../src/core/status-pages/documents/planned-calendar.ts'
import type { PageModel } from '../../../src/core/status-pages/page-model.ts'
import { ALL_PAGES } from '../../support/status-pages/all-pages.ts'
import { hoursAgo, samplePage, samplePlanned, sampleSettings } from '../../support/status-pages/models.ts'
import { troubledPage } from '../../support/status-pages/pages.ts'

function eventsOf(model: PageModel): ICAL.Event[] {
  const calendar = new ICAL.Component(ICAL.parse(plannedCalendar(model)))
  return calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component))
}

test('a parser reads planned maintenance of posts and windows, in UTC', () => {
  const events = eventsOf(troubledPage()).map((event) => ({
    uid: event.uid,
    from: event.startDate.toString(),
    to: event.endDate.toString(),
    summary: event.summary,
    description: event.description,
    url: event.component.getFirstPropertyValue('url'),
  }))
  assert.deepEqual(events, [
    {
      uid: 'page-7-post-42@upbeat.example.com',
      from: '2026-11-22T13:02:00Z',
      to: '2026-11-22T16:02:00Z',
      summary: 'New telephone exchange',
      description: 'Calls may end early.\n\nAffected: Telephone',
      url: 'https://upbeat.example.com/status/acme/posts/42',
    },
    {
      uid: 'page-7-window-3-20261124T020000Z@upbeat.example.com',
      from: '2026-11-24T02:02:00Z',
      to: '2026-11-24T04:02:00Z',
      summary: 'Router upgrade',
      description: 'Short interruptions are possible.\n\nAffected: API',
      url: 'https://upbeat.example.com/status/acme',
    },
  ])
})

test('each page has as many events as it has planned', () => {
  for (const model of Object.values(ALL_PAGES)) {
    assert.equal(eventsOf(model).length, model.planned.length)
  }
})

test('an event without a note and without components has no description', () => {
  const [event] = eventsOf(samplePage({ planned: [samplePlanned({ note: '', components: [] })] }))
  assert.equal(event?.description, null)
})

test('a calendar is the same until the page changes, and speaks its language', () => {
  const settings = sampleSettings({ language: 'de' })
  const [one, other] = [hoursAgo(1), hoursAgo(0)].map((asOf) =>
    plannedCalendar(troubledPage({ settings, asOf })),
  )
  assert.equal(one, other)
  assert.match(one ?? '', /^X-WR-CALNAME:Status von Acme\r$/m)
})
