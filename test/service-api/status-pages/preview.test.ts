import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { PagePreview, StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { StatusPage } from '../../../src/core/status-pages/status-page.ts'
import { MONITORS } from '../../support/services/api-bodies.ts'
import { assertInvalid, assertProblem } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'

const PATH = '/status-pages'

describe('the preview of a status page', () => {
  let people: People
  let team: Team
  let page: StatusPageDetail
  let monitor: number

  before(async () => {
    people = peopleOf(await apiService())
    team = await people.team()
    monitor = (await team.owner.data(team.id, 'POST', '/monitors', { ...MONITORS.http, name: 'db-7' })).id
    const settings = StatusPage.parse({ name: 'Shop', slug: 'previewed' })
    const made = await team.owner.data(team.id, 'POST', PATH, settings)
    const layout = {
      items: [component('Search'), { group: { name: 'Paying', components: [named('Cards')] } }],
    }
    page = StatusPageDetail.parse(await team.owner.data(team.id, 'PUT', `${PATH}/${made.id}/layout`, layout))
  })

  const named = (name: string, changes: object = {}) => ({ monitor_id: null, name, ...changes })
  const component = (name: string, changes?: object) => ({ component: named(name, changes) })
  const preview = async (body: object, person = team.owner) =>
    PagePreview.parse(await person.data(team.id, 'POST', `${PATH}/${page.id}/preview`, body))
  const names = ({ html }: PagePreview) =>
    [...html.matchAll(/<h[34]><bdi>(.*?)<\/bdi>/g)].map(([, name]) => name)

  it('is the page as it is saved, where nothing is changed', async () => {
    const shown = await preview({})
    assert.deepEqual(names(shown), ['Search', 'Paying', 'Cards'])
    assert.equal(shown.language, 'en')
    assert.match(shown.style, /^:root\{/)
    assert.doesNotMatch(shown.html, /<style|<script/)
  })

  it('shows changes of settings and layout, and saves neither', async () => {
    const group = { name: 'New', components: [named('Later', { state: 'degraded' })] }
    const layout = { items: [component('API', { monitor_id: monitor }), { group }, component('Search')] }
    const settings = { name: 'Boutique', language: 'fr', theme: 'dark' }
    const shown = await preview({ settings, layout })
    assert.deepEqual(names(shown), ['API', 'New', 'Later', 'Search'])
    assert.equal(shown.language, 'fr')
    assert.match(shown.html, /Boutique/)
    assert.doesNotMatch(shown.style, /prefers-color-scheme/)
    assert.doesNotMatch(shown.html, /db-7/, 'the name of a monitor is nobody’s business')
    assert.deepEqual(await team.owner.data(team.id, 'GET', `${PATH}/${page.id}`), page)
  })

  it('leaves out monitors of other teams, and is none of theirs', async () => {
    const other = await people.team()
    const theirs = await other.owner.data(other.id, 'POST', '/monitors', MONITORS.http)
    const layout = { items: [component('Theirs', { monitor_id: theirs.id }), component('Ours')] }
    assert.deepEqual(names(await preview({ layout })), ['Ours'])
    const answer = await other.owner.ask(other.id, 'POST', `${PATH}/${page.id}/preview`, {})
    assertProblem(answer, 404, 'not-found')
  })

  it('is for viewers, too, and says what is wrong with a draft', async () => {
    assert.deepEqual(names(await preview({}, team.viewer)), ['Search', 'Paying', 'Cards'])
    const answer = await team.owner.ask(team.id, 'POST', `${PATH}/${page.id}/preview`, {
      layout: { items: [component('')] },
    })
    assertInvalid(answer, ['layout.items.0.component.name'])
  })
})
