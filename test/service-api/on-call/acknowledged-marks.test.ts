import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { IncidentRow } from '../../../src/core/monitors/incident-story.ts'
import type { IncidentKind } from '../../../src/core/monitors/incidents/incident-kind.ts'
import { Overview } from '../../../src/core/overview/overview.ts'
import { addIncident } from '../../support/records/history.ts'
import { addRow, changeRows } from '../../support/records/rows.ts'
import { addServers } from '../../support/records/servers.ts'
import { addSite } from '../../support/records/sites.ts'
import { MONITORS } from '../../support/services/api-bodies.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'

const PATHS = {
  monitor: '/incidents',
  server: '/server-incidents',
  site: '/site-incidents',
} as const satisfies Record<IncidentKind, string>

let service: AskedService
let people: People

before(async () => {
  service = await apiService()
  people = peopleOf(service)
})

/** One open incident of each kind, whose subjects are down; the server has a warning of before, too. */
async function outages({ id: team_id, owner }: Team) {
  const { db } = service.services
  const since = new Date(Date.now() - 60_000)
  const about = { team_id, started_at: since, resolved_at: null }
  const { id: monitor_id } = await owner.data(team_id, 'POST', '/monitors', {
    ...MONITORS.http,
    name: 'Shop',
  })
  const monitor = await addIncident(db, { ...about, monitor_id, cause: 'HTTP 503' })
  const down = { status: 'down', status_since: since, open_incident_id: monitor } as const
  await changeRows(db, 'monitor_state', { monitor_id }, down)
  const [rack] = await addServers(db, 1, () => ({
    ...{ team_id, name: 'Rack', state: { status: 'down' as const, status_since: since } },
  }))
  const ofServer = { ...about, server_id: rack?.id ?? 0 }
  const warning = { about: 'swap', cause: 'swap is used', warns_only: true }
  await addIncident(db, { ...ofServer, ...warning })
  const silent = { about: 'silent', cause: 'no report', warns_only: false }
  const server = await addIncident(db, { ...ofServer, ...silent })
  const { id: site_id } = await addSite(db, { team_id, name: 'Blog' })
  const fails = { status: 'down', status_since: since, cause: 'no such host' } as const
  await changeRows(db, 'site_areas', { site_id, area: 'dns' }, fails)
  const site = await addIncident(db, { ...about, site_id, about: 'dns', cause: 'no such host' })
  return { monitor, server, site } satisfies Record<IncidentKind, number>
}

describe('an acknowledgement', () => {
  /** Incidents with those who have them, by the overview and by the list, and those that nobody has, by the filter. */
  async function marksOf({ id, viewer }: Team) {
    const { troubles } = Overview.parse(await viewer.data(id, 'GET', '/overview'))
    const overview = troubles.flatMap(({ acknowledged, subjects }) =>
      subjects.map(({ name, acknowledgement }) => [name, acknowledgement?.by, acknowledged]),
    )
    const list = async (query: string): Promise<IncidentRow[]> =>
      viewer.data(id, 'GET', `/incident-rows${query}`)
    const rows = (await list('')).map(({ about, subject_name, acknowledgement }) => [
      about ?? subject_name,
      acknowledgement?.by,
    ])
    const waiting = (await list('?state=unacknowledged')).map(
      ({ about, subject_name }) => about ?? subject_name,
    )
    return { overview: overview.toSorted(), rows: rows.toSorted(), waiting: waiting.toSorted() }
  }

  it('marks what is in trouble, and its incident in the list, until it is taken back', async () => {
    const team = await people.team()
    const incidents = await outages(team)
    const { id, owner, admin } = team
    assert.deepEqual(await marksOf(team), {
      overview: [
        ['Blog', undefined, 0],
        ['Rack', undefined, 0],
        ['Shop', undefined, 0],
      ],
      rows: [
        ['Shop', undefined],
        ['dns', undefined],
        ['silent', undefined],
        ['swap', undefined],
      ],
      waiting: ['Shop', 'dns', 'silent', 'swap'],
    })
    for (const [kind, person] of [
      ['monitor', admin],
      ['server', owner],
      ['site', admin],
    ] as const) {
      await person.data(id, 'POST', `${PATHS[kind]}/${incidents[kind]}/acknowledgement`, {})
    }
    assert.deepEqual(await marksOf(team), {
      overview: [
        ['Blog', admin.name, 1],
        ['Rack', owner.name, 1],
        ['Shop', admin.name, 1],
      ],
      rows: [
        ['Shop', admin.name],
        ['dns', admin.name],
        ['silent', owner.name],
        ['swap', undefined],
      ],
      waiting: ['swap'],
    })
    await owner.data(id, 'DELETE', `${PATHS.monitor}/${incidents.monitor}/acknowledgement`)
    const { rows, waiting } = await marksOf(team)
    assert.deepEqual(
      [rows[0], waiting],
      [
        ['Shop', undefined],
        ['Shop', 'swap'],
      ],
    )
  })

  it('by a link bears the name of its contact, and none once that is deleted; it ends with the incident', async () => {
    const team = await people.team()
    const { monitor } = await outages(team)
    const { id, owner } = team
    const { db } = service.services
    const hook = { name: 'Night phone', type: 'webhook', config: { url: 'https://hooks.example.com/x' } }
    const contact = await owner.data(id, 'POST', '/notification-contacts', hook)
    await addRow(db, 'acknowledgements', {
      ...{
        team_id: id,
        kind: 'monitor',
        team_incident_id: monitor,
        via: 'link',
        contact_id: contact.id,
        acknowledged_at: new Date(),
      },
    })
    const shop = async () => (await marksOf(team)).rows[0]
    assert.deepEqual(await shop(), ['Shop', 'Night phone'])
    await owner.ask(id, 'DELETE', `/notification-contacts/${contact.id}`)
    assert.deepEqual(await shop(), ['Shop', null])
    await changeRows(db, 'team_incidents', { id: monitor }, { resolved_at: new Date() })
    assert.deepEqual(await shop(), ['Shop', undefined])
  })
})
