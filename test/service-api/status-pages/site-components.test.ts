import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { CheckStatus } from '../../../src/core/monitors/check.ts'
import type { SiteArea } from '../../../src/core/sites/area.ts'
import { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { Layout } from '../../../src/core/status-pages/status-page.ts'
import { createPageReader } from '../../../src/operations/status-pages/read-model.ts'
import { addIncident } from '../../support/records/history.ts'
import { ago, changeRows } from '../../support/records/rows.ts'
import { MONITORS } from '../../support/services/api-bodies.ts'
import { assertInvalid } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { ask } from '../../support/services/http.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'
import { componentsOn, saveComponents } from '../../support/status-pages/asked-components.ts'
import { until } from '../../support/until.ts'

const PATHS = ['', '/api/v2/summary.json', '/api/v2/components.json', '/feed.rss', '/feed.atom', '/feed.json']
/** The name, the address and the cause of an outage are the team's business, and so are areas. */
const SECRET = ['internal-name', 'secret.example.com', 'refused by 10.0.0.7', 'Home page']

let pages = 0

describe('components of sites on a status page', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  const db = () => service.services.db
  const siteOf = async ({ id, owner }: Team): Promise<number> => {
    const body = { name: 'internal-name', url: 'https://secret.example.com/' }
    return (await owner.data(id, 'POST', '/sites', body)).id
  }
  const pageOf = async ({ id, owner }: Team): Promise<{ id: number; slug: string }> => {
    const slug = `sites-shop-${++pages}`
    return { id: (await owner.data(id, 'POST', '/status-pages', { name: 'Shop', slug })).id, slug }
  }
  const become = (site_id: number, area: SiteArea, status: CheckStatus, changes: object = {}) =>
    changeRows(db(), 'site_areas', { site_id, area }, { status, ...changes })
  const { stateOf, versionOf } = componentsOn(() => service)

  it('are saved, shown to the editor with their site, and refused beside others or from another team', async () => {
    const [team, other] = [await people.team(), await people.team()]
    const [page, site, theirs] = [await pageOf(team), await siteOf(team), await siteOf(other)]
    const detail = StatusPageDetail.parse(
      (await saveComponents(team, page.id, [{ site_id: site }])).body.data,
    )
    const [item] = detail.layout.items
    assert.ok(item && 'component' in item)
    const { site_id, monitor_id, server_id } = item.component
    assert.deepEqual([site_id, monitor_id, server_id], [site, null, null])
    assert.deepEqual(item.component.site, { id: site, name: 'internal-name', is_deleted: false })
    const monitor = (await team.owner.data(team.id, 'POST', '/monitors', MONITORS.http)).id
    for (const component of [{ site_id: theirs }, { site_id: site, monitor_id: monitor }]) {
      assertInvalid(await saveComponents(team, page.id, [component]), ['items.0.component.site_id'])
    }
  })

  it('have the worst state of the areas that are on, and go with the site', async () => {
    const team = await people.team()
    const [{ id: page }, site] = [await pageOf(team), await siteOf(team)]
    await saveComponents(team, page, [{ site_id: site }, { name: 'By hand' }])
    const versions = new Set([await versionOf(page)])
    const tomorrow = new Date(Date.now() + 86_400_000)
    for (const [area, status, changes, state] of [
      ['home_page', 'pending', {}, 'unknown'],
      ['home_page', 'up', {}, 'operational'],
      ['links', 'degraded', {}, 'degraded'],
      ['links', 'degraded', { snoozed_until: tomorrow }, 'operational'],
      ['dns', 'down', {}, 'major_outage'],
    ] as const) {
      await become(site, area, status, changes)
      assert.deepEqual(await stateOf(page), [state, 'operational'], `${area} ${status}`)
      versions.add(await versionOf(page))
    }
    assert.equal(versions.size, 5, 'what is served is made anew')
    const layout = Layout.parse({ items: [{ component: { name: 'New', monitor_id: null, site_id: site } }] })
    const draft = await createPageReader(service.services).readModel(page, { settings: {}, layout })
    assert.equal(draft?.state, 'major_outage')
    const before = await stateOf(page)
    const window = await team.owner.data(team.id, 'POST', '/maintenance-windows/now', { site_ids: [site] })
    assert.deepEqual(await stateOf(page), before, 'pages do not show a quick one')
    const { id, fields } = window
    await team.owner.data(team.id, 'PATCH', `/maintenance-windows/${id}`, { ...fields, shows_on_pages: true })
    assert.deepEqual(await stateOf(page), ['maintenance', 'operational'], 'a window covers it')
    const [planned] = (await createPageReader(service.services).readModel(page))?.planned ?? []
    assert.deepEqual(planned?.components.length, 1)
    await team.owner.data(team.id, 'POST', `/maintenance-windows/${id}/end`)
    await team.owner.data(team.id, 'PATCH', `/sites/${site}`, { is_active: false })
    assert.deepEqual(await stateOf(page), ['unknown', 'operational'], 'it is paused')
    await team.owner.data(team.id, 'DELETE', `/sites/${site}`)
    assert.deepEqual(await stateOf(page), ['operational'])
  })

  it('show nothing of the site but what was chosen', async () => {
    const team = await people.team()
    const [{ id: page, slug }, site] = [await pageOf(team), await siteOf(team)]
    await saveComponents(team, page, [{ site_id: site, name: 'Our web site' }])
    await team.owner.data(team.id, 'POST', `/status-pages/${page}/publish`)
    const cause = 'refused by 10.0.0.7'
    await become(site, 'home_page', 'down', { cause, looked_at: new Date() })
    await addIncident(db(), {
      ...{ team_id: team.id, site_id: site, about: 'home_page', cause },
      started_at: ago(60_000),
    })
    const look = (path: string) => ask(`${service.url}/status/${slug}${path}`)
    await until('the page shows the outage', async () =>
      (await look('/api/v2/summary.json')).text.includes('"status":"major_outage"'),
    )
    for (const path of PATHS) {
      const { status, text } = await look(path)
      assert.equal(status, 200, path)
      if (!path.startsWith('/feed')) assert.match(text, /Our web site/, path)
      for (const secret of SECRET) assert.ok(!text.includes(secret), `${path} says ${secret}`)
    }
  })
})
