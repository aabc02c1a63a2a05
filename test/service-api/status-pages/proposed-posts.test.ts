import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { addIncident } from '../../support/records/history.ts'
import { MONITORS } from '../../support/services/api-bodies.ts'
import { assertInvalid, assertProblem } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, peopleOf } from '../../support/services/people.ts'

describe('a proposed post', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  it('is about what is down on the page, or about some subjects, in the words of the automatic draft', async () => {
    const { db } = service.services
    const { id: team, owner, viewer } = await people.team()
    const make = (path: string, body: object) => owner.data(team, 'POST', path, body)
    const shop = await make('/monitors', { ...MONITORS.http, name: 'Shop' })
    const search = await make('/monitors', { ...MONITORS.http, name: 'Search' })
    const { id: page } = await make('/status-pages', { name: 'Shop', slug: `proposed-${team}` })
    const server = await make('/servers', { name: 'Box' })
    const items = [
      { component: { monitor_id: shop.id, name: 'Orders' } },
      { component: { monitor_id: search.id, name: 'Find' } },
      { component: { monitor_id: null, server_id: server.id, name: 'Files' } },
    ]
    await owner.data(team, 'PUT', `/status-pages/${page}/layout`, { items })
    const detail = await owner.data(team, 'GET', `/status-pages/${page}`)
    const [orders, find, files] = detail.layout.items.map(
      (item: { component: { id: number } }) => item.component.id,
    )
    const propose = (query = '') => viewer.data(team, 'GET', `/status-pages/${page}/posts/proposal${query}`)
    assert.deepEqual(await propose(), { title: '', body: '', impacts: [] })
    await addIncident(db, { team_id: team, monitor_id: search.id })
    const ofFind = {
      title: 'Outage: Find',
      body: 'Not available: Find. We are looking into it.',
      impacts: [{ component_id: find, state: 'major_outage' }],
    }
    assert.deepEqual(await propose(), ofFind)
    assert.deepEqual(await propose(`?monitors=${search.id}`), ofFind)
    assert.deepEqual((await propose(`?monitors=${shop.id}`)).impacts, [
      { component_id: orders, state: 'major_outage' },
    ])
    assert.deepEqual(await propose(`?monitors=${search.id}&servers=${server.id}`), {
      title: 'Outage: Find and Files',
      body: 'Not available: Find and Files. We are looking into it.',
      impacts: [
        { component_id: find, state: 'major_outage' },
        { component_id: files, state: 'major_outage' },
      ],
    })
    const notIds = `/status-pages/${page}/posts/proposal?sites=x`
    assertInvalid(await viewer.ask(team, 'GET', notIds), ['sites'])
    const template = await make('/status-templates', {
      name: 'Ours',
      title: '{component} does not work',
      phase: 'investigating',
      body: 'On {page}: {component}.',
    })
    await owner.data(team, 'PATCH', `/status-pages/${page}`, { template_id: template.id })
    const { title, body } = await propose()
    assert.deepEqual({ title, body }, { title: 'Find does not work', body: 'On Shop: Find.' })
    const stranger = await people.team()
    const path = `/status-pages/${page}/posts/proposal`
    assertProblem(await stranger.owner.ask(stranger.id, 'GET', path), 404, 'not-found')
  })
})
