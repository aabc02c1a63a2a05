// npm test leaves this out: it needs regions with probes whose tokens expire, and hands slots over between them (seconds).
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { PROBE_PROTOCOL, ProbeRefusal } from '../../../../src/core/probing/remote-probe.ts'
import { bitsOfSlots } from '../../../../src/core/probing/slot.ts'
import { createRemoteProbeNews } from '../../../../src/operations/probing/remote-probe-news.ts'
import {
  createRemoteProbe,
  listRemoteProbes,
} from '../../../../src/operations/probing/remote-probe-tokens.ts'
import { createRemoteProbeHost } from '../../../../src/operations/probing/remote-probes.ts'
import type { Services } from '../../../../src/operations/services.ts'
import { createConfirmationRequests } from '../../../../src/store/probing/confirmations.ts'
import { joinProbers } from '../../../../src/store/probing/memberships.ts'
import { openTestDatabase } from '../../../support/postgres/database.ts'
import { UP } from '../../../support/probing/schedule-world.ts'
import { addMonitor } from '../../../support/records/monitors.ts'
import { addSlots } from '../../../support/records/probing.ts'
import { addRow } from '../../../support/records/rows.ts'
import { addTeam } from '../../../support/records/teams.ts'
import { suiteScope } from '../../../support/scope.ts'

const DAY_MS = 86_400_000

const ADDRESS = '203.0.113.7'

describe('a token of remote probes', () => {
  const scope = suiteScope()
  let services: Services
  let at = new Date()

  before(async () => {
    const { db, vault, close } = await openTestDatabase()
    scope.after(close)
    services = { db, vault, now: () => at } as Services
  })

  it('works until it expires; then its probes end, and others have what they held', async () => {
    const desk = createRemoteProbeHost(
      services,
      createRemoteProbeNews(() => 0),
    )
    const expires = new Date(at.getTime() + DAY_MS)
    const made = await createRemoteProbe(services, {
      region: 'nyc',
      name: 'Newark',
      expires: expires.toISOString(),
    })
    assert.equal(Date.parse(made.expires_at ?? ''), expires.getTime())
    const endless = await createRemoteProbe(services, { region: 'nyc', name: 'For ever' })
    assert.equal(endless.expires_at, null)
    assert.deepEqual(
      (await listRemoteProbes(services)).map(({ name, expires_at }) => [name, expires_at]),
      [
        ['Newark', made.expires_at],
        ['For ever', null],
      ],
    )

    const join = async (token: string) => {
      const holder = await desk.authenticate(token, ADDRESS)
      const asked = { version: PROBE_PROTOCOL, session: randomUUID(), region: 'nyc', host: 'there', pid: 1 }
      return await desk.answer.join(holder, asked)
    }
    const members = async () => {
      const { rows } = await services.db.pool.query('SELECT id FROM probers ORDER BY id')
      return rows.map(({ id }) => id)
    }
    const [mortal, other] = [await join(made.token), await join(endless.token)]
    assert.deepEqual(await members(), [mortal.membership, other.membership])

    at = expires
    await assert.rejects(desk.authenticate(made.token, ADDRESS), (error) => {
      assert.ok(error instanceof ProbeRefusal && error.code === 'revoked')
      assert.match(error.message, /^the token "Newark" expired at .*: make another one$/)
      return true
    })
    assert.deepEqual(await members(), [other.membership])
    assert.equal((await desk.authenticate(endless.token, ADDRESS)).name, 'For ever')
  })

  it('that is bound to teams has its region checked for them alone', async () => {
    const { db } = services
    const [own, other] = [await monitorOf(services, 'Own'), await monitorOf(services, 'Other')]
    const made = await createRemoteProbe(services, {
      region: 'acme',
      name: 'Rack 4',
      teams: [own.team, own.team],
    })
    assert.deepEqual(made.teams, [own.team])
    const desk = createRemoteProbeHost(
      { ...services, recordRemote: async () => null, countRefused: () => {} },
      createRemoteProbeNews(() => 0),
    )
    const holder = await desk.authenticate(made.token, ADDRESS)
    const session = randomUUID()
    const asked = { version: PROBE_PROTOCOL, session, region: 'acme', host: 'there', pid: 1 }
    const { membership } = await desk.answer.join(holder, asked)
    await addSlots(db, [0], { region: 'acme', holder: membership })
    const regions = ['acme', 'lon']
    await addRow(db, 'turns', { number: 1, before: regions, regions, effective_at: new Date() })
    const known = bitsOfSlots([])
    const { slots, turns } = await desk.answer.renew(holder, { membership, known })
    assert.ok(slots)
    assert.deepEqual([slots, turns?.reserved], [[0], ['acme']])
    const again = await desk.answer.renew(holder, { membership, known: bitsOfSlots(slots) })
    assert.deepEqual([again.slots, again.wanted], [null, []])

    const { monitors } = await desk.answer.schedule(holder, { membership, slots })
    assert.deepEqual(
      monitors.map((monitor) => [monitor.id, 'own_regions' in monitor && monitor.own_regions]),
      [[own.monitor, ['acme']]],
    )
    const ids = [own.monitor, other.monitor]
    for (const changes of [ids, 'recent', 'waiting'] as const) {
      const changed = await desk.answer.schedule(holder, { membership, slots, changes })
      assert.deepEqual(
        changed.monitors.map(({ id }) => id),
        [own.monitor],
      )
    }
    const { known: statuses } = await desk.answer.known(holder, { ids })
    assert.deepEqual(
      statuses.map((one) => one?.status ?? null),
      ['pending', null],
    )
    const calls = ids.map((id) => ({ id, ms: 1_000 }))
    const { answers } = await desk.answer.overruns(holder, { membership, action: 'claim', calls })
    assert.deepEqual(answers, [true, false])

    const lon = await joinProbers(db, { region: 'lon', host: 'here', pid: 1 }, 600)
    const wishes = createConfirmationRequests(db)
    for (const { monitor: monitorId, revision } of [own, other]) {
      await wishes.request({ monitorId, revision, membership: lon, regions: ['acme'], forMs: 600_000 })
    }
    const { claimed } = await desk.answer.claim(holder, { membership, limit: 10 })
    assert.deepEqual(
      claimed.map(({ monitor }) => monitor.id),
      [own.monitor],
    )

    const results = [own, other].map(({ monitor, revision }) => ({
      membership,
      monitor_id: monitor,
      revision,
      checked_at: new Date(),
      result: UP,
    }))
    const { refused } = await desk.answer.results(holder, { session, first: 1, results })
    assert.deepEqual(refused, [
      { monitor_id: other.monitor, reason: 'the monitor was not its own at that time' },
    ])
  })

  it("is bound as its region is, which is everybody's or not from its first token on", async () => {
    const { team } = await monitorOf(services, 'Another')
    const make = (region: string, teams?: number[]) =>
      createRemoteProbe(services, { region, name: 'x', teams })
    await make('bound', [team])
    assert.deepEqual((await make('bound', [team])).teams, [team])
    await make('open')
    for (const [region, teams, field, why] of [
      ['bound', undefined, 'teams', /must be \d+, for which the region bound is reserved, got none/],
      ['bound', [team, team + 1], 'teams', /got \d+, \d+/],
      ['open', [team], 'region', /open is everybody's/],
      ['new', [team, 2_000_000], 'teams', /there is no 2000000/],
    ] as const) {
      await assert.rejects(make(region, teams && [...teams]), (error) => {
        const { members } = error as { members: { errors: Record<string, string[]> } }
        assert.deepEqual(Object.keys(members.errors), [field])
        assert.match(members.errors[field]?.[0] ?? '', why)
        return true
      })
    }
  })

  it('is not made for a time that is over', async () => {
    for (const expires of [at.toISOString(), '2001-01-31', 'soon']) {
      await assert.rejects(createRemoteProbe(services, { region: 'nyc', name: 'Late', expires }), (error) => {
        const { members } = error as { members: { errors: Record<string, string[]> } }
        assert.deepEqual(Object.keys(members.errors), ['expires'])
        return true
      })
    }
  })
})

/** A monitor of a new team, in the one slot that is held here. */
async function monitorOf({ db }: Services, name: string) {
  const { id, revision, teamId } = await addMonitor(db, { team_id: await addTeam(db, { name }), name })
  return { team: teamId, monitor: id, revision }
}
