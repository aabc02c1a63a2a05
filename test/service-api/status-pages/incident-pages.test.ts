import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { INCIDENTS } from '../../../src/contract/subjects.ts'
import { ofEachField, SUBJECT_KINDS } from '../../../src/core/maintenance/subject-kind.ts'
import { addIncident } from '../../support/records/history.ts'
import { addRow } from '../../support/records/rows.ts'
import { MONITORS } from '../../support/services/api-bodies.ts'
import { assertProblem } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, peopleOf } from '../../support/services/people.ts'

const NEW = {
  monitor: { path: '/monitors', body: MONITORS.http },
  server: { path: '/servers', body: {} },
  site: { path: '/sites', body: { url: 'https://shop.example/' } },
}
/** The condition or area of an incident of the kind. */
const ABOUT = {
  monitor: {},
  server: { about: 'silent', cause: 'It is silent' },
  site: { about: 'home_page', cause: 'It does not answer' },
}

describe('the status pages of an incident', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  for (const kind of SUBJECT_KINDS) {
    it(`of a ${kind} are those of the team that show it, with the posts about it`, async () => {
      const { db } = service.services
      const { id: team, owner, viewer } = await people.team()
      const make = (path: string, body: object) => owner.data(team, 'POST', path, body)
      const [shop, other] = [
        await make(NEW[kind].path, { ...NEW[kind].body, name: 'Shop' }),
        await make(NEW[kind].path, { ...NEW[kind].body, name: 'Other' }),
      ]
      const pages: number[] = []
      for (const [name, subject] of [
        ['b', shop],
        ['A', shop],
        ['c', other],
      ] as const) {
        const { id } = await make('/status-pages', { name, slug: `incident-${name.toLowerCase()}-${team}` })
        const ids = ofEachField('_id', (one) => (one === kind ? subject.id : null))
        const component = { ...ids, name: 'Public' }
        // Twice on a page is once in the list.
        const items = [{ component }, { group: { name: 'All', components: [component] } }]
        await owner.data(team, 'PUT', `/status-pages/${id}/layout`, { items })
        pages.push(id)
      }
      const incident = await addIncident(db, { team_id: team, [`${kind}_id`]: shop.id, ...ABOUT[kind] })
      const update = { phase: 'investigating', body: 'We are looking.' }
      const post = await make(`/status-pages/${pages[0]}/posts`, { kind: 'incident', title: 'Down', update })
      const told = { page_id: pages[0] as number, kind, team_incident_id: incident, post_id: post.id }
      await addRow(db, 'incident_posts', told)
      const path = `${INCIDENTS[kind].path.replace(/\{\w+\}/, String(incident))}/status-pages`
      assert.deepEqual(await viewer.data(team, 'GET', path), [
        { id: pages[1], name: 'A', post_id: null },
        { id: pages[0], name: 'b', post_id: post.id },
      ])
      const stranger = await people.team()
      assertProblem(await stranger.owner.ask(stranger.id, 'GET', path), 404, 'not-found')
    })
  }
})
