import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { addIncident } from '../../support/records/history.ts'
import { addRow } from '../../support/records/rows.ts'
import { MONITORS } from '../../support/services/api-bodies.ts'
import { assertProblem } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, peopleOf } from '../../support/services/people.ts'

describe('the status pages of an incident', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  it('are those of the team that show its monitor, with the posts about it', async () => {
    const { db } = service.services
    const { id: team, owner, viewer } = await people.team()
    const make = (path: string, body: object) => owner.data(team, 'POST', path, body)
    const [shop, other] = [
      await make('/monitors', { ...MONITORS.http, name: 'Shop' }),
      await make('/monitors', { ...MONITORS.http, name: 'Other' }),
    ]
    const pages: number[] = []
    for (const [name, monitor] of [
      ['b', shop],
      ['A', shop],
      ['c', other],
    ] as const) {
      const { id } = await make('/status-pages', { name, slug: `incident-${name.toLowerCase()}-${team}` })
      const component = { monitor_id: monitor.id, name: 'Public' }
      // Twice on a page is once in the list.
      const items = [{ component }, { group: { name: 'All', components: [component] } }]
      await owner.data(team, 'PUT', `/status-pages/${id}/layout`, { items })
      pages.push(id)
    }
    const incident = await addIncident(db, { team_id: team, monitor_id: shop.id })
    const update = { phase: 'investigating', body: 'We are looking.' }
    const post = await make(`/status-pages/${pages[0]}/posts`, { kind: 'incident', title: 'Down', update })
    const told = {
      page_id: pages[0] as number,
      kind: 'monitor' as const,
      team_incident_id: incident,
      post_id: post.id,
    }
    await addRow(db, 'incident_posts', told)
    const path = `/incidents/${incident}/status-pages`
    assert.deepEqual(await viewer.data(team, 'GET', path), [
      { id: pages[1], name: 'A', post_id: null },
      { id: pages[0], name: 'b', post_id: post.id },
    ])
    const stranger = await people.team()
    assertProblem(await stranger.owner.ask(stranger.id, 'GET', path), 404, 'not-found')
  })
})
