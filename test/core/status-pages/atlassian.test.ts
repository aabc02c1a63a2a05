import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as z from 'zod'
import { COMPONENT_STATES } from '../../../src/core/status-pages/component-state.ts'
import {
  ATLASSIAN_PATHS,
  type AtlassianPath,
  atlassianDocuments,
} from '../../../src/core/status-pages/documents/atlassian.ts'
import type { PageModel } from '../../../src/core/status-pages/page-model.ts'
import { ALL_PAGES, eventfulPage } from '../../support/status-pages/all-pages.ts'
import {
  ATLASSIAN_SCHEMAS,
  AtlassianIncidents,
  AtlassianMaintenances,
  AtlassianSummary,
} from '../../support/status-pages/atlassian-schemas.ts'
import {
  hoursAgo,
  sampleComponent,
  samplePage,
  samplePlanned,
  samplePost,
  sampleUpdate,
} from '../../support/status-pages/models.ts'
import { troubledPage } from '../../support/status-pages/pages.ts'

/** A document as it arrives: through JSON, and read by the schema. */
function read<S extends z.ZodType>(schema: S, model: PageModel, path: AtlassianPath): z.infer<S> {
  return schema.parse(JSON.parse(JSON.stringify(atlassianDocuments(model)[path])))
}
const summaryOf = (model: PageModel) => read(AtlassianSummary, model, 'api/v2/summary.json')
const incidentsOf = (model: PageModel) => read(AtlassianIncidents, model, 'api/v2/incidents.json').incidents
const maintenancesOf = (model: PageModel) =>
  read(AtlassianMaintenances, model, 'api/v2/scheduled-maintenances.json').scheduled_maintenances

describe("Statuspage's documents", () => {
  for (const [name, model] of Object.entries(ALL_PAGES)) {
    it(`validate, of a page that is ${name}`, () => {
      const problems = ATLASSIAN_PATHS.flatMap((path) => {
        const { error } = ATLASSIAN_SCHEMAS[path].safeParse(
          JSON.parse(JSON.stringify(atlassianDocuments(model)[path])),
        )
        return error ? [`${path}: ${z.prettifyError(error)}`] : []
      })
      assert.deepEqual(problems, [])
    })
  }

  it('say the state of the page in the documented indicators and in words', () => {
    const said = COMPONENT_STATES.map((state) => Object.values(summaryOf(samplePage({ state })).status))
    assert.deepEqual(said, [
      ['none', 'All Systems Operational'],
      ['none', 'Status Partly Unknown'],
      ['none', 'Service Under Maintenance'],
      ['minor', 'Partially Degraded Service'],
      ['major', 'Partial System Outage'],
      ['critical', 'Major Service Outage'],
    ])
  })

  it('have each id once among groups and components, and groups name their components', () => {
    const { components } = summaryOf(troubledPage())
    assert.equal(new Set(components.map(({ id }) => id)).size, components.length)
    const groups = components.filter((one) => one.group)
    const members = groups.map(({ id }) =>
      components.filter(({ group_id }) => group_id === id).map((one) => one.id),
    )
    assert.deepEqual(
      groups.map((group) => group.components),
      members,
    )
    assert.deepEqual(
      components.slice(0, 5).map(({ id, position, status }) => [id, position, status]),
      [
        ['group-1', 1, 'partial_outage'],
        ['component-1', 1, 'partial_outage'],
        ['component-2', 2, 'operational'],
        ['component-3', 3, 'operational'],
        ['group-2', 2, 'major_outage'],
      ],
    )
  })

  it('tell of an incident with its updates, what changed in each, and the components it ever named', () => {
    const [, over] = incidentsOf(troubledPage())
    assert.deepEqual(
      { ...over, incident_updates: undefined, components: over?.components.map(({ name }) => name) },
      {
        id: 'post-40',
        name: 'Mail was late',
        status: 'resolved',
        impact: 'minor',
        created_at: hoursAgo(80).toISOString(),
        updated_at: hoursAgo(77).toISOString(),
        started_at: hoursAgo(80).toISOString(),
        monitoring_at: hoursAgo(78).toISOString(),
        resolved_at: hoursAgo(77).toISOString(),
        shortlink: 'https://upbeat.example.com/status/acme/posts/40',
        page_id: 'page-7',
        reminder_intervals: null,
        incident_updates: undefined,
        components: ['Mail'],
      },
    )
    assert.deepEqual(
      over?.incident_updates.map(({ id, status, affected_components }) => [id, status, affected_components]),
      [
        ['update-500', 'resolved', null],
        [
          'update-499',
          'monitoring',
          [
            {
              code: 'component-4',
              name: 'Mail',
              old_status: 'degraded_performance',
              new_status: 'operational',
            },
          ],
        ],
        [
          'update-498',
          'investigating',
          [
            {
              code: 'component-4',
              name: 'Mail',
              old_status: 'operational',
              new_status: 'degraded_performance',
            },
          ],
        ],
      ],
    )
  })

  it('have every incident that is open, and 50 at most otherwise', () => {
    const page = eventfulPage()
    const all = incidentsOf(page)
    const open = page.active.filter(({ kind }) => kind === 'incident').map(({ id }) => `post-${id}`)
    assert.equal(all.length, 50)
    assert.deepEqual(
      open.filter((id) => !all.some((one) => one.id === id)),
      [],
    )
    const many = Array.from({ length: 60 }, (_, id) => samplePost({ id: id + 1 }))
    assert.equal(incidentsOf(samplePage({ active: many })).length, 60)
    const times = all.map(({ started_at }) => started_at)
    assert.deepEqual(times, times.toSorted().reverse())
  })

  it('tell of maintenance of posts and of windows once each, by where it stands', () => {
    const coming = samplePost({
      id: 50,
      kind: 'maintenance',
      impact: 'maintenance',
      scheduledFor: hoursAgo(-30),
      scheduledUntil: hoursAgo(-31),
      updates: [sampleUpdate({ id: 600, phase: 'scheduled' })],
    })
    const begun = { ...coming, id: 51, scheduledFor: hoursAgo(1), scheduledUntil: hoursAgo(-1) }
    const page = samplePage({
      active: [coming, begun],
      planned: [
        samplePlanned({ postId: 51, key: 'post-51', isRunning: true }),
        samplePlanned({ postId: 50, key: 'post-50' }),
        samplePlanned({ postId: 49, key: 'post-49', title: 'Not among the posts' }),
        samplePlanned(),
      ],
    })
    const found = maintenancesOf(page).map(({ id, status, impact, shortlink }) => [
      id,
      status,
      impact,
      shortlink.slice(page.url.length),
    ])
    assert.deepEqual(found, [
      ['post-49', 'scheduled', 'maintenance', '/posts/49'],
      ['window-3-20261124T020000Z', 'scheduled', 'maintenance', ''],
      ['post-50', 'scheduled', 'maintenance', '/posts/50'],
      ['post-51', 'in_progress', 'maintenance', '/posts/51'],
    ])
    assert.deepEqual(
      summaryOf(page).scheduled_maintenances.map(({ id }) => id),
      found.map(([id]) => id),
    )
  })

  it('say what no longer changes from one update to the next', () => {
    const impacts = (...states: [number, 'degraded' | 'major_outage'][]) =>
      states.map(([componentId, state]) => ({ componentId, name: `C${componentId}`, state }))
    const post = samplePost({
      updates: [
        sampleUpdate({ id: 3, phase: 'monitoring', impacts: impacts([2, 'degraded']) }),
        sampleUpdate({ id: 2, phase: 'identified', impacts: impacts([1, 'degraded'], [2, 'degraded']) }),
        sampleUpdate({ id: 1, impacts: impacts([1, 'major_outage']) }),
      ],
    })
    const [incident] = incidentsOf(samplePage({ active: [post] }))
    const changes = incident?.incident_updates.map(({ affected_components }) =>
      affected_components?.map(({ name, old_status, new_status }) => [name, old_status, new_status]),
    )
    assert.deepEqual(changes, [
      [
        ['C2', 'degraded_performance', 'degraded_performance'],
        ['C1', 'degraded_performance', 'operational'],
      ],
      [
        ['C1', 'major_outage', 'degraded_performance'],
        ['C2', 'operational', 'degraded_performance'],
      ],
      [['C1', 'operational', 'major_outage']],
    ])
  })

  it('stay small on a page whose posts name everything in long texts, and tell the newest of each', () => {
    const components = Array.from({ length: 1_000 }, (_, index) => sampleComponent({ id: index + 1 }))
    const impacts = components.map(({ id, name }) => ({
      componentId: id,
      name,
      state: 'degraded' as const,
    }))
    const active = Array.from({ length: 50 }, (_, post) => {
      const bodies = Array.from({ length: 20 }, (_, age) => `${age} ${'x'.repeat(5_000)}`)
      const updates = bodies.map((body, age) => sampleUpdate({ id: post * 20 + age, body, impacts }))
      return samplePost({ id: post + 1, updates })
    })
    const page = samplePage({ items: components.map((component) => ({ component })), active })
    const documents = Object.values(atlassianDocuments(page)).map((document) => JSON.stringify(document))
    assert.ok(Math.max(...documents.map(({ length }) => length)) < 4_000_000)
    const told = incidentsOf(page).map(({ components, incident_updates: updates }) => [
      components.length,
      updates.length,
      updates[0]?.body.startsWith('0 '),
      updates.filter(({ affected_components }) => affected_components !== null).length,
    ])
    assert.deepEqual(told[0], [1_000, 20, true, 4])
    assert.deepEqual(told.at(-1), [0, 1, true, 0])
  })

  it('say neither that a description is there nor that uptime is shown where they are not', () => {
    const [plain, told] = summaryOf(
      samplePage({
        items: [
          { component: sampleComponent({ id: 1, history: null }) },
          { component: sampleComponent({ id: 2, description: 'Everything below /v1.' }) },
        ],
      }),
    ).components
    assert.deepEqual([plain?.description, plain?.showcase], [null, false])
    assert.deepEqual([told?.description, told?.showcase], ['Everything below /v1.', true])
  })
})
