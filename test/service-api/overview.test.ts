import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { MAIL_IS_NOT_SET_UP } from '../../src/core/alerting/delivery-log.ts'
import type { CheckStatus } from '../../src/core/monitors/check.ts'
import { FIRST_STEPS, FirstSteps } from '../../src/core/overview/first-steps.ts'
import { Overview } from '../../src/core/overview/overview.ts'
import type { SiteArea } from '../../src/core/sites/area.ts'
import { createPartition } from '../../src/store/history/partitions.ts'
import { addDeliveries } from '../support/records/alerting.ts'
import { addChecks, addIncident } from '../support/records/history.ts'
import { addMonitors } from '../support/records/monitors.ts'
import { addRow, changeRows } from '../support/records/rows.ts'
import { addServers } from '../support/records/servers.ts'
import { addSite } from '../support/records/sites.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { type SignedIn, signIn } from '../support/services/signed-in.ts'

const MINUTE_MS = 60_000
const NO_TIME = {
  ...{ up_ms: null, degraded_ms: null, down_ms: null, maintenance_ms: null },
  ...{ min_ms: null, max_ms: null },
}

describe('the overview', () => {
  let service: AskedService

  before(async () => {
    service = await apiService()
  })

  const newTeam = async () => signIn(service, (await service.createTeam()).id)
  const db = () => service.services.db
  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)

  async function overviewOf(member: SignedIn): Promise<Overview> {
    return Overview.parse((await member.ask('GET', '/overview')).data)
  }

  /** A monitor that has had a status for so many minutes, and what its last check said. */
  async function monitorThatIs(
    member: SignedIn,
    status: CheckStatus,
    minutes: number,
    message: string | null,
    changes: object = {},
  ): Promise<number> {
    const { data } = await member.ask('POST', '/monitors', { ...MONITORS.http, name: status, ...changes })
    const checkedAt = ago(0)
    const state = { status, status_since: ago(minutes), last_checked_at: checkedAt }
    await changeRows(db(), 'monitor_state', { monitor_id: data.id }, state)
    await addChecks(db(), [{ monitor_id: data.id, checked_at: checkedAt, status, error_message: message }])
    return data.id
  }

  async function incidentOf(
    member: SignedIn,
    monitorId: number,
    from: number,
    to: number | null,
    cause: string,
  ): Promise<number> {
    const startedAt = ago(from)
    const resolvedAt = to === null ? null : new Date(startedAt.getTime() + (from - to) * MINUTE_MS)
    const span = { started_at: startedAt, resolved_at: resolvedAt, cause }
    const id = await addIncident(db(), { team_id: member.teamId, monitor_id: monitorId, ...span })
    if (to === null)
      await changeRows(db(), 'monitor_state', { monitor_id: monitorId }, { open_incident_id: id })
    return id
  }

  function subjectsOf(troubles: Overview['troubles']) {
    return troubles.flatMap(({ subjects }) =>
      subjects.map(({ kind, name, status, reason }) => [kind, name, status, reason]),
    )
  }

  it('of a new team has nothing, and no contact but one by mail, which is not set up', async () => {
    const { at: _, ...overview } = await overviewOf(await newTeam())
    assert.deepEqual(overview, {
      counts: { down: 0, degraded: 0, pending: 0, maintenance: 0, up: 0, paused: 0 },
      servers: { counts: { down: 0, degraded: 0, pending: 0, maintenance: 0, up: 0, paused: 0 } },
      sites: { counts: { down: 0, degraded: 0, pending: 0, maintenance: 0, up: 0, paused: 0 } },
      incidents_open: 0,
      troubles: [],
      troubles_rest: 0,
      events: [],
      failing_contacts: [],
      contacts_count: 0,
    })
  })

  it('counts servers, and names those in trouble, the worst first, with the worst reason', async () => {
    const member = await newTeam()
    const states: [name: string, status: CheckStatus, minutes: number][] = [
      ['new', 'pending', 1],
      ['well', 'up', 9],
      ['planned', 'maintenance', 9],
      ['warns', 'degraded', 90],
      ['silent', 'down', 3],
      ['full', 'down', 30],
    ]
    const servers = await addServers(db(), states.length, (index) => {
      const [name, status, minutes] = states[index] as (typeof states)[number]
      return { team_id: member.teamId, name, state: { status, status_since: ago(minutes) } }
    })
    const [paused] = await addServers(db(), 1, () => ({
      ...{ team_id: member.teamId, is_active: false, state: { status: 'down' as const } },
    }))
    assert.ok(paused)
    const idOf = (name: string) => servers[states.findIndex(([own]) => own === name)]?.id as number
    for (const [name, cause, warns_only, from, to] of [
      ['full', 'warned first', true, 40, null],
      ['full', 'full', false, 30, null],
      ['full', 'long over', false, 90, 80],
      ['warns', 'swap is used', true, 90, null],
    ] as const) {
      await addIncident(db(), {
        ...{ team_id: member.teamId, server_id: idOf(name), about: cause, cause, warns_only },
        ...{ started_at: ago(from), resolved_at: to && ago(to) },
      })
    }
    const { servers: shown, troubles } = await overviewOf(member)
    assert.deepEqual(shown.counts, { down: 2, degraded: 1, pending: 1, maintenance: 1, up: 1, paused: 1 })
    assert.deepEqual(subjectsOf(troubles), [
      ['server', 'silent', 'down', null],
      ['server', 'full', 'down', 'full'],
      ['server', 'warns', 'degraded', 'swap is used'],
    ])
  })

  it('counts sites, and names those in trouble, the worst first, with the worst area', async () => {
    const member = await newTeam()
    const add = async (name: string, states: [SiteArea, CheckStatus, number][], more = {}) => {
      const { id } = await addSite(db(), { team_id: member.teamId, name, ...more })
      for (const [area, status, minutes] of states)
        await changeRows(
          db(),
          'site_areas',
          { site_id: id, area },
          { status, status_since: ago(minutes), cause: `${area} ${status}` },
        )
    }
    await add('new', [])
    await add('well', [
      ['home_page', 'up', 9],
      ['dns', 'up', 3],
    ])
    await add('warns', [
      ['home_page', 'up', 9],
      ['links', 'degraded', 90],
    ])
    await add(
      'off',
      [
        ['home_page', 'up', 9],
        ['links', 'degraded', 90],
      ],
      { areas_off: ['links'] },
    )
    await add('gone', [
      ['home_page', 'down', 5],
      ['dns', 'down', 7],
      ['links', 'degraded', 90],
    ])
    await add('paused', [['home_page', 'down', 5]], { is_active: false })
    const { sites, troubles } = await overviewOf(member)
    assert.deepEqual(sites.counts, { down: 1, degraded: 1, pending: 1, maintenance: 0, up: 2, paused: 1 })
    assert.deepEqual(subjectsOf(troubles), [
      ['site', 'gone', 'down', 'DNS: dns down'],
      ['site', 'warns', 'degraded', 'Links: links degraded'],
    ])
  })

  it('names first what is down, the newest first, then what is degraded, then what could not be judged, and nothing that is planned', async () => {
    const member = await newTeam()
    await monitorThatIs(member, 'up', 5, null)
    await monitorThatIs(member, 'maintenance', 90, 'HTTP 502 (expected 200)')
    await monitorThatIs(member, 'down', 3, 'never shown', { is_active: false })
    const pending = await monitorThatIs(member, 'pending', 9, 'no name server answers')
    await monitorThatIs(member, 'pending', 9, null)
    // A check from before the monitor was resumed gives no reason any more.
    const resumed = await monitorThatIs(member, 'pending', 9, 'an old reason')
    await changeRows(db(), 'monitor_state', { monitor_id: resumed }, { status_since: ago(-1) })
    const degraded = await monitorThatIs(member, 'degraded', 60, 'certificate expires in 3 days')
    const short = await monitorThatIs(member, 'down', 1, 'still HTTP 500')
    const long = await monitorThatIs(member, 'down', 30, 'still HTTP 503')
    await incidentOf(member, long, 30, null, 'HTTP 503 (expected 200)')
    const { counts, troubles } = await overviewOf(member)
    assert.deepEqual(counts, { down: 2, degraded: 1, pending: 3, maintenance: 1, up: 1, paused: 1 })
    const shown = troubles.flatMap(({ subjects }) =>
      subjects.map(({ id, status, reason }) => [id, status, reason]),
    )
    assert.deepEqual(shown, [
      [short, 'down', 'still HTTP 500'],
      [long, 'down', 'HTTP 503 (expected 200)'],
      [degraded, 'degraded', 'certificate expires in 3 days'],
      [pending, 'pending', 'no name server answers'],
    ])
    assert.equal(troubles[0]?.subjects[0]?.target, 'http://127.0.0.1:9/')
  })

  it('groups what fails for one cause, and names no more than fifty of it', async () => {
    const member = await newTeam()
    for (let made = 0; made < 51; made++) await monitorThatIs(member, 'down', made, 'HTTP 500')
    const { counts, troubles } = await overviewOf(member)
    assert.equal(counts.down, 51)
    assert.deepEqual(
      troubles.map(({ cause, ids, subjects }) => [cause, ids.length, subjects.length]),
      [['HTTP 500 at 127.0.0.1', 51, 50]],
    )
  })

  it('counts what is in trouble beyond those that it reads, the oldest, among those in no line', async () => {
    const member = await newTeam()
    const DOWN = 2_003
    await addMonitors(db(), DOWN, (index) => ({
      ...{ team_id: member.teamId, name: `Shop ${index}`, url: 'http://127.0.0.1:9/' },
      state: { status: 'down', status_since: ago(index), last_checked_at: ago(0) },
    }))
    const { counts, troubles, troubles_rest } = await overviewOf(member)
    const named = troubles.reduce((sum, { ids }) => sum + ids.length, 0)
    assert.equal(counts.down, DOWN)
    assert.equal(named + troubles_rest, DOWN)
    assert.ok(named < DOWN, 'not all of them are read')
  })

  it('tells the newest beginnings and ends of incidents, but not of deleted monitors', async () => {
    const member = await newTeam()
    const id = await monitorThatIs(member, 'down', 1, null)
    const gone = await monitorThatIs(member, 'down', 1, null)
    await incidentOf(member, gone, 5, 4, 'gone')
    await member.ask('DELETE', `/monitors/${gone}`)
    const open = await incidentOf(member, id, 2, null, 'HTTP 500')
    const short = await incidentOf(member, id, 50, 49, 'HTTP 501')
    const long = await incidentOf(member, id, 300, 10, 'HTTP 502')
    const { events } = await overviewOf(member)
    assert.deepEqual(
      events.map((event) => [event.kind, event.incident_id, event.cause, event.duration_seconds]),
      [
        ['opened', open, 'HTTP 500', null],
        ['resolved', long, 'HTTP 502', 290 * 60],
        ['resolved', short, 'HTTP 501', 60],
        ['opened', short, 'HTTP 501', null],
        ['opened', long, 'HTTP 502', null],
      ],
    )
    assert.deepEqual([events[0]?.monitor_id, events[0]?.monitor_name], [id, 'down'])
    for (let made = 0; made < 30; made++)
      await incidentOf(member, id, 100 + 2 * made, 99 + 2 * made, 'HTTP 500')
    assert.equal((await overviewOf(member)).events.length, 20)
  })

  it('names the contacts whose newest tried alert did not arrive', async () => {
    const member = await newTeam()
    /** Oldest first; a number is how many attempts were made, all but the last of one that was sent failed. */
    const table: [
      name: string,
      deliveries: [state: 'pending' | 'sent' | 'failed', attempts: number][],
      isFailing: boolean,
    ][] = [
      ['never told', [], false],
      [
        'told',
        [
          ['failed', 1],
          ['sent', 2],
        ],
        false,
      ],
      [
        'failed',
        [
          ['sent', 1],
          ['failed', 3],
        ],
        true,
      ],
      [
        'retried',
        [
          ['sent', 1],
          ['pending', 2],
        ],
        true,
      ],
      [
        'waiting',
        [
          ['sent', 1],
          ['pending', 0],
        ],
        false,
      ],
      [
        'waiting after a failure',
        [
          ['failed', 1],
          ['pending', 0],
        ],
        true,
      ],
      [
        'not set up',
        [
          ['sent', 1],
          ['failed', 1],
        ],
        false,
      ],
    ]
    for (const [name, deliveries] of table) {
      const { data } = await member.ask('POST', '/notification-contacts', {
        name,
        type: 'webhook',
        config: { url: 'http://127.0.0.1:9/hook' },
      })
      for (const [state, attempts] of deliveries) {
        const [delivery_id = 0] = await addDeliveries(db(), [
          { team_id: member.teamId, contact_id: data.id, contact_name: name, state, attempts },
        ])
        for (let attempt = 1; attempt <= attempts; attempt++) {
          const outcome = state === 'sent' && attempt === attempts ? 'sent' : 'retry'
          await addRow(db(), 'delivery_attempts', {
            delivery_id,
            attempt,
            attempted_at: ago(10 - attempt),
            duration_ms: 5,
            outcome,
            status_code: 500,
            detail: name === 'not set up' ? MAIL_IS_NOT_SET_UP : `${name} ${attempt}`,
          })
        }
      }
    }
    const { failing_contacts, contacts_count } = await overviewOf(member)
    assert.deepEqual(
      failing_contacts.map(({ name }) => name).sort(),
      table
        .filter(([, , isFailing]) => isFailing)
        .map(([name]) => name)
        .sort(),
    )
    assert.equal(failing_contacts.find(({ name }) => name === 'failed')?.detail, 'failed 3')
    assert.equal(contacts_count, table.length)
    assert.deepEqual((await overviewOf(await newTeam())).failing_contacts, [])
  })

  it('of a new team has its first steps, which are told to those who can take them', async () => {
    const member = await newTeam()
    const { teamId } = member
    const doneBy = async () => {
      const { is_shown, done } = FirstSteps.parse((await member.ask('GET', '/first-steps')).data)
      return { is_shown, done: FIRST_STEPS.filter((step) => done[step]) }
    }
    assert.deepEqual(await doneBy(), { is_shown: true, done: ['people'] }, 'its token and its owner are two')
    const monitor = await monitorThatIs(member, 'down', 1, 'HTTP 503')
    assert.deepEqual((await doneBy()).done, ['subject', 'people'])
    await changeRows(db(), 'monitor_state', { monitor_id: monitor }, { status: 'up' })
    assert.deepEqual((await doneBy()).done, ['subject', 'passed', 'people'])
    await changeRows(db(), 'monitor_state', { monitor_id: monitor }, { status: 'down' })
    await incidentOf(member, monitor, 9, 8, 'HTTP 503')
    assert.deepEqual((await doneBy()).done, ['subject', 'passed', 'people'], 'it passed once')
    await addDeliveries(db(), [{ team_id: teamId, contact_name: 'Gone', state: 'failed', attempts: 1 }])
    assert.deepEqual((await doneBy()).done, ['subject', 'passed', 'people'])
    await addDeliveries(db(), [{ team_id: teamId, contact_name: 'Gone', state: 'sent', attempts: 1 }])
    const steps = JSON.stringify([{ after_minutes: 0, contact_ids: [], schedule_id: null }])
    const policy = { name: 'Primary', steps, repeats: 0, repeat_every_minutes: 30, tags: [] }
    await addRow(db(), 'escalation_policies', { team_id: teamId, ...policy })
    await member.ask('POST', '/status-pages', { name: 'In public', slug: 'first-steps' })
    const viewer = await signIn(service, teamId, 'viewer')
    assert.equal((await viewer.send('GET', '/first-steps')).status, 403)
    assert.deepEqual(await doneBy(), { is_shown: false, done: [...FIRST_STEPS] })
  })

  for (const [what, isDone] of [
    ['passed and fails now', true],
    ['passed long ago, which is summed up', true],
    ['failed from the first check on', false],
  ] as const) {
    it(`has ${isDone ? 'the step of a first check behind it' : 'that step before it'}, where a monitor ${what}`, async () => {
      const member = await newTeam()
      const monitor = await monitorThatIs(member, 'down', 5, 'HTTP 503')
      await incidentOf(member, monitor, 5, null, 'HTTP 503')
      if (what === 'passed and fails now')
        await addChecks(db(), [{ monitor_id: monitor, checked_at: ago(6) }])
      if (what === 'passed long ago, which is summed up') {
        await db().pool.query(createPartition('check_hours', ago(0)))
        await addRow(db(), 'check_hours', { ...NO_TIME, monitor_id: monitor, hour: ago(0), up: 1 })
      }
      const { done } = FirstSteps.parse((await member.ask('GET', '/first-steps')).data)
      assert.equal(done.passed, isDone)
    })
  }
})
