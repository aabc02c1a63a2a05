import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { DAY_MS, HOUR_MS, startOfDay, startOfHour } from '../../src/core/history/history-span.ts'
import { formatInstant } from '../../src/core/instant.ts'
import { TeamFigures } from '../../src/core/overview/team-figures.ts'
import { writeHoursUntil } from '../../src/store/history/history-progress.ts'
import { createPartition } from '../../src/store/history/partitions.ts'
import { addIncident } from '../support/records/history.ts'
import { addMonitors } from '../support/records/monitors.ts'
import { addRows } from '../support/records/rows.ts'
import { suiteScope } from '../support/scope.ts'
import { type ServiceHere, startServiceHere } from '../support/services/service-here.ts'
import { signIn } from '../support/services/signed-in.ts'

describe('the figures of a team', () => {
  const scope = suiteScope()
  let service: ServiceHere
  /** The hours before are of the same day: those of a day that is over count by the sums of the day. */
  const until = laterThan(startOfHour(new Date(Date.now() - 2 * HOUR_MS)), 3)

  before(async () => {
    // Progress of the work on history is one of the whole service.
    service = await startServiceHere({ ROLES: 'api' })
    scope.after(() => service.close())
    const client = await service.services.db.pool.connect()
    try {
      await writeHoursUntil(client, until)
      for (let ago = 0; ago <= 8; ago++)
        await client.query(createPartition('check_hours', new Date(until.getTime() - ago * DAY_MS)))
    } finally {
      client.release()
    }
  })

  async function newTeam() {
    const member = await signIn(service, (await service.createTeam()).id)
    const figures = async () => TeamFigures.parse((await member.ask('GET', '/team-figures')).data)
    return { teamId: member.teamId, figures }
  }

  /** An hour of a monitor, so long ago, of which so much was down. */
  const hour = (monitor_id: number, hoursAgo: number, downMs: number, more = {}) => ({
    ...{ monitor_id, hour: new Date(until.getTime() - hoursAgo * HOUR_MS), up: 60 },
    ...{ up_ms: HOUR_MS - downMs, degraded_ms: 0, down_ms: downMs, maintenance_ms: 0, ...more },
  })

  it('of a new one are empty', async () => {
    const { figures } = await newTeam()
    assert.deepEqual(await figures(), {
      until: formatInstant(until),
      uptime: { '24h': null, '7d': null },
      incidents_24h: 0,
      slowest: [],
      flapping: [],
      expiring: [],
    })
  })

  it('are of the time of all monitors that are not deleted, up to the last hour that is summed up', async () => {
    const { db } = service.services
    const { teamId, figures } = await newTeam()
    const other = await newTeam()
    const [one, two, gone] = await addMonitors(db, 3, (index) => ({
      ...{ team_id: teamId, deleted_at: index === 2 ? new Date() : null },
    }))
    const [foreign] = await addMonitors(db, 1, () => ({ team_id: other.teamId }))
    assert.ok(one && two && gone && foreign)
    await addRows(db, 'check_hours', [
      hour(one.id, 1, 0),
      hour(two.id, 1, HOUR_MS / 2),
      // Planned time does not count.
      hour(two.id, 2, 0, { up_ms: 0, maintenance_ms: HOUR_MS }),
      hour(gone.id, 1, HOUR_MS),
      hour(foreign.id, 1, HOUR_MS),
      hour(one.id, -1, HOUR_MS),
    ])
    const day = startOfDay(until, -3)
    await addRows(db, 'check_days', [
      { monitor_id: one.id, day, up_ms: 21.5 * HOUR_MS, degraded_ms: 0, down_ms: HOUR_MS, maintenance_ms: 0 },
      { monitor_id: one.id, day: startOfDay(until, -9), up_ms: 0, down_ms: DAY_MS },
    ])
    const { uptime } = await figures()
    assert.deepEqual(uptime, { '24h': 0.75, '7d': (1.5 + 21.5) / (2 + 22.5) })
  })

  it('name the five slowest monitors by the mean of their checks that passed, and leave out those without', async () => {
    const { db } = service.services
    const { teamId, figures } = await newTeam()
    const monitors = await addMonitors(db, 7, (index) => ({ team_id: teamId, name: `m${index}` }))
    await addRows(
      db,
      'check_hours',
      monitors.flatMap(({ id }, index) => [
        hour(id, 2, 0, { response_time_sum_ms: 60 * 100 * index }),
        hour(id, 3, 0, { response_time_sum_ms: 60 * 100 * index, down: 40 }),
      ]),
    )
    const { slowest } = await figures()
    assert.deepEqual(
      slowest.map(({ id, name, mean_ms }) => [monitors.findIndex((one) => one.id === id), name, mean_ms]),
      [6, 5, 4, 3, 2].map((index) => [index, `m${index}`, 100 * index]),
    )
  })

  it('name the monitors that went down most often, from two incidents on, and count all of a day', async () => {
    const { db } = service.services
    const { teamId: team_id, figures } = await newTeam()
    const monitors = await addMonitors(db, 3, (index) => ({ team_id, name: `m${index}` }))
    for (const [index, { id: monitor_id }] of monitors.entries()) {
      for (let hours = 1; hours <= index + 1; hours++) {
        const started_at = new Date(Date.now() - hours * HOUR_MS)
        await addIncident(db, { team_id, monitor_id, started_at, resolved_at: started_at })
      }
      const started_at = new Date(Date.now() - 25 * HOUR_MS)
      await addIncident(db, { team_id, monitor_id, started_at, resolved_at: started_at })
    }
    const { flapping, incidents_24h } = await figures()
    assert.equal(incidents_24h, 6)
    assert.deepEqual(
      flapping.map(({ name, incidents }) => [name, incidents]),
      [
        ['m2', 3],
        ['m1', 2],
      ],
    )
  })

  it('name what expires next, five of them', async () => {
    const { db } = service.services
    const { teamId, figures } = await newTeam()
    await addMonitors(db, 7, (index) => ({
      ...{ team_id: teamId, name: `m${index}` },
      state: { ssl_expires_at: new Date(Date.now() + (8 - index) * DAY_MS) },
    }))
    const { expiring } = await figures()
    assert.deepEqual(
      expiring.map(({ of, subject, name }) => `${of} of ${subject} ${name}`),
      [6, 5, 4, 3, 2].map((index) => `certificate of monitor m${index}`),
    )
  })
})

/** The hour itself, or, where its day is younger than so many hours, as many before the end of the day before. */
function laterThan(hour: Date, hours: number): Date {
  const isLater = hour.getTime() - startOfDay(hour).getTime() >= hours * HOUR_MS
  return isLater ? hour : new Date(startOfDay(hour).getTime() - hours * HOUR_MS)
}
