import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { atlassianDocuments } from '../../../src/core/status-pages/documents/atlassian.ts'
import { plannedCalendar } from '../../../src/core/status-pages/documents/planned-calendar.ts'
import type { PageModel } from '../../../src/core/status-pages/page-model.ts'
import { createPageReader } from '../../../src/operations/status-pages/read-model.ts'
import { oneOff, recurring, sent, switchWindow } from '../../support/maintenance/windows.ts'
import { MONITORS } from '../../support/services/api-bodies.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'

const HOUR_MS = 3_600_000

describe('status pages and maintenance windows', () => {
  let service: AskedService
  let people: People
  let team: Team
  let page: number
  let monitor: number

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
    team = await people.team()
    const make = (path: string, body: object) => team.owner.data(team.id, 'POST', path, body)
    monitor = (await make('/monitors', { ...MONITORS.http, name: 'db-7' })).id
    page = (await make('/status-pages', { name: 'Acme', slug: `windows-${team.id}` })).id
    const items = [{ component: { monitor_id: monitor, name: 'Shop' } }]
    await team.owner.data(team.id, 'PUT', `/status-pages/${page}/layout`, { items })
    await make(`/status-pages/${page}/publish`, {})
  })

  const model = async () => (await createPageReader(service.services).readModel(page)) as PageModel
  const here = () => ({ all_subjects: false, monitor_ids: [monitor], note: 'Of db-7', name: 'Move db-7' })

  it('name the pages that show a monitor, for the menu that mutes it', async () => {
    const { pages } = await team.viewer.data(team.id, 'GET', `/monitors/${monitor}/maintenance`)
    assert.deepEqual(pages, ['Acme'])
    const other = await team.owner.data(team.id, 'POST', '/monitors', { ...MONITORS.http, name: 'Other' })
    const found = await team.viewer.data(team.id, 'GET', `/monitors/${other.id}/maintenance`)
    assert.deepEqual(found.pages, [])
  })

  it('say nothing of a quick mute, and of it by another name once that is wanted', async () => {
    const quick = { monitor_ids: [monitor] }
    const { id, fields } = await team.owner.data(team.id, 'POST', '/maintenance-windows/now', quick)
    const hidden = await model()
    assert.deepEqual([hidden.state, hidden.planned], ['unknown', []])
    const told = { ...fields, shows_on_pages: true, public_name: 'Works' }
    await team.owner.data(team.id, 'PATCH', `/maintenance-windows/${id}`, told)
    const shown = await model()
    assert.equal(shown.state, 'maintenance')
    assert.deepEqual(
      shown.planned.map(({ title, isRunning }) => [title, isRunning]),
      [['Works', true]],
    )
    await team.owner.data(team.id, 'DELETE', `/maintenance-windows/${id}`)
  })

  const from = new Date(Math.floor(Date.now() / 1_000) * 1_000 + HOUR_MS)
  const planned = {
    one_off: sent(oneOff(from.toISOString(), new Date(from.getTime() + HOUR_MS).toISOString())),
    recurring: sent(recurring({ local_start: '2026-01-01T02:00', rule: 'FREQ=DAILY' })),
    switch: sent(switchWindow()),
  }
  for (const [kind, window] of Object.entries(planned)) {
    it(`show a window of kind ${kind} by its own name there, unless it is not to be shown`, async () => {
      const { shows_on_pages: _, public_name: __, ...rest } = window
      const made = await team.owner.data(team.id, 'POST', '/maintenance-windows', { ...rest, ...here() })
      assert.deepEqual([made.shows_on_pages, made.public_name], [true, ''], 'as windows always were')
      const path = `/maintenance-windows/${made.id}`
      if (kind === 'switch') await team.owner.data(team.id, 'POST', `${path}/start`, {})
      const named = { ...made.fields, public_name: 'Better storage' }
      await team.owner.data(team.id, 'PATCH', path, named)
      const shown = await model()
      const documents = (of: PageModel) => [
        JSON.stringify(atlassianDocuments(of)['api/v2/scheduled-maintenances.json']),
        plannedCalendar(of),
      ]
      for (const text of documents(shown)) {
        assert.match(text, /Better storage/)
        assert.doesNotMatch(text, /Move db-7/)
      }
      await team.owner.data(team.id, 'PATCH', path, { ...named, shows_on_pages: false })
      const [row] = await team.viewer.data(team.id, 'GET', '/maintenance-windows')
      assert.deepEqual([row.shows_on_pages, row.public_name], [false, 'Better storage'])
      const hidden = await model()
      assert.deepEqual([hidden.planned, hidden.state], [[], 'unknown'])
      for (const text of documents(hidden)) assert.doesNotMatch(text, /Better storage|db-7/)
      await team.owner.data(team.id, 'DELETE', path)
    })
  }
})
