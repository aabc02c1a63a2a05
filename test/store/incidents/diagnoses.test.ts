import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { BASELINE_CHANGES_MS } from '../../../src/core/monitors/incidents/baseline.ts'
import {
  boundedFindings,
  DIAGNOSIS_CLAIM_MS,
  type DiagnosisFound,
  MAX_DIAGNOSES_OF_MONITOR,
  MAX_WAITING_DIAGNOSES,
} from '../../../src/core/monitors/incidents/diagnosis.ts'
import { mostOfOne } from '../../../src/core/sharing/share.ts'
import { sizeOf } from '../../../src/core/sharing/shared.ts'
import { createBaselines } from '../../../src/store/incidents/baselines.ts'
import {
  createDiagnosisClaims,
  type DiagnosisClaims,
  readDiagnosis,
  readDiagnosisSummary,
  requestDiagnosis,
} from '../../../src/store/incidents/diagnoses.ts'
import { openIncident } from '../../../src/store/incidents/recording.ts'
import { renewMembership } from '../../../src/store/probing/memberships.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addChecks, addIncident } from '../../support/records/history.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addProber } from '../../support/records/probing.ts'
import { addRows, changeRows, countRows } from '../../support/records/rows.ts'
import { addTeam } from '../../support/records/teams.ts'
import { suiteScope } from '../../support/scope.ts'

const HOUR_MS = 3_600_000
const FOUND: DiagnosisFound = boundedFindings({
  outcome: 'diagnosed',
  summary: 'no connection',
  region: 'lon',
  sections: { name: ['shop.com A 192.0.2.1'] },
})

describe('a diagnosis, as a row', () => {
  const scope = suiteScope()
  let database: TestDatabase
  let claims: DiagnosisClaims

  before(async () => {
    database = await openTestDatabase()
    scope.after(database.close)
    claims = createDiagnosisClaims(database.db)
  })

  const join = (columns = {}) =>
    addProber(database.db, { region: 'lon', expires_at: new Date(Date.now() + HOUR_MS), ...columns })

  async function asked(teamId?: number) {
    const team = teamId ?? (await addTeam(database.db))
    const monitor = await addMonitor(database.db, { team_id: team })
    const incidentId = await addIncident(database.db, { team_id: team, monitor_id: monitor.id })
    const wish = { teamId: team, monitorId: monitor.id, incidentId }
    await requestDiagnosis(database.db.query, wish)
    return wish
  }
  const claimedBy = async (prober: number) => (await claims.claim(prober, 10)).map((claimed) => claimed)

  it('is claimed by one prober, told, and asked for again, which keeps the former findings meanwhile', async () => {
    const [first, second] = [await join(), await join()]
    const wish = await asked()
    assert.equal((await renewMembership(database.db, second, 600))?.isAsked, true)
    const [claimed] = await claimedBy(first)
    assert.equal(claimed?.incidentId, wish.incidentId)
    assert.deepEqual([claimed?.region, claimed?.monitor.id], ['lon', wish.monitorId])
    assert.deepEqual(await claimedBy(second), [])
    assert.equal((await renewMembership(database.db, second, 600))?.isAsked, false)
    await requestDiagnosis(database.db.query, wish)
    assert.equal((await readDiagnosis(database.db.query, wish))?.isClaimed, true, 'the one under way stands')
    if (!claimed) throw new Error('nothing was claimed')
    await claims.answer(claimed, second, FOUND)
    assert.equal((await readDiagnosis(database.db.query, wish))?.found, null, 'only its prober answers')
    await claims.answer(claimed, first, FOUND)
    assert.deepEqual((await readDiagnosis(database.db.query, wish))?.found, FOUND)
    assert.ok((await readDiagnosis(database.db.query, wish))?.endedAt)
    assert.equal(await readDiagnosis(database.db.query, { ...wish, teamId: wish.teamId + 1 }), null)
    await requestDiagnosis(database.db.query, wish)
    const anew = await readDiagnosis(database.db.query, wish)
    assert.deepEqual([anew?.endedAt, anew?.found], [null, FOUND])
    assert.equal((await claimedBy(second)).length, 1)
  })

  it('is one at a time of each team, whatever the number of probers', async () => {
    const team = await addTeam(database.db)
    await asked(team)
    await asked(team)
    const other = await asked()
    const [first, second] = [await join(), await join()]
    const taken = (await Promise.all([claimedBy(first), claimedBy(second), claimedBy(first)])).flat()
    const rest = (await claimedBy(second)).concat(taken)
    assert.equal(rest.filter(({ monitor }) => monitor.team_id === team).length, 1)
    assert.equal(rest.filter(({ monitor }) => monitor.team_id === other.teamId).length, 1)
    const one = rest.find(({ monitor }) => monitor.team_id === team)
    if (!one) throw new Error('none was claimed')
    const { rows } = await database.db.pool.query('SELECT claimed_by FROM diagnoses WHERE id = $1', [
      one.diagnosis,
    ])
    await claims.answer(one, rows[0].claimed_by, FOUND)
    assert.equal((await claimedBy(first)).filter(({ monitor }) => monitor.team_id === team).length, 1)
  })

  for (const [what, changes] of Object.entries({
    paused: { is_active: false },
    deleted: { deleted_at: new Date() },
  }))
    it(`is not begun once its monitor is ${what}, and holds up no other one of the team`, async () => {
      const prober = await join()
      const first = await asked()
      const { teamId, monitorId } = first
      assert.equal((await readDiagnosis(database.db.query, first))?.isPaused, false)
      await changeRows(database.db, 'monitors', { id: monitorId }, changes)
      assert.equal((await readDiagnosis(database.db.query, first))?.isPaused, true)
      const next = await asked(teamId)
      const ofTeam = (await claimedBy(prober)).filter(({ monitor }) => monitor.team_id === teamId)
      assert.deepEqual(
        ofTeam.map(({ monitor }) => monitor.id),
        [next.monitorId],
      )
    })

  it('leaves room to another team', async () => {
    const prober = await join()
    const places = sizeOf('diagnoses')
    const team = await addTeam(database.db)
    const held = Array.from({ length: mostOfOne(places) }, () => team)
    await asked(team)
    const other = await asked()
    const teams = (await claims.claim(prober, places - held.length, held)).map(
      ({ monitor }) => monitor.team_id,
    )
    assert.deepEqual(teams, [other.teamId])
  })

  it('is begun by another prober when the first one is gone, or leaves', async () => {
    const [first, second] = [await join(), await join()]
    const wish = await asked()
    const [claimed] = (await claimedBy(first)).filter(({ incidentId }) => incidentId === wish.incidentId)
    if (!claimed) throw new Error('nothing was claimed')
    const began_at = new Date(Date.now() - DIAGNOSIS_CLAIM_MS - 1_000)
    await changeRows(database.db, 'diagnoses', { id: claimed.diagnosis }, { began_at })
    assert.equal((await renewMembership(database.db, second, 600))?.isAsked, true)
    assert.equal((await readDiagnosis(database.db.query, wish))?.isClaimed, false)
    const again = (await claimedBy(second)).filter(({ incidentId }) => incidentId === wish.incidentId)
    assert.equal(again.length, 1)
    await claims.answer(claimed, first, FOUND)
    assert.equal(
      (await readDiagnosis(database.db.query, wish))?.endedAt,
      null,
      'it is not the first one’s any more',
    )
    await claims.release(claimed, second)
    assert.equal(
      (await claimedBy(first)).filter(({ incidentId }) => incidentId === wish.incidentId).length,
      1,
    )
  })

  it('is not begun too late, nor by a remote probe, nor from a region of others', async () => {
    const [late, remote, reserved] = [await asked(), await asked(), await asked()]
    await changeRows(
      database.db,
      'diagnoses',
      { team_incident_id: late.incidentId },
      { expires_at: new Date(Date.now() - 1_000) },
    )
    const here = await join({ region: 'ours' })
    const [token] = await addRows(database.db, 'probe_tokens', [
      { name: 'far', region: 'far', token_hash: Buffer.from('far'), ending: 'far' },
    ])
    assert.deepEqual(await claimedBy(await join({ probe_token: token?.id ?? 0 })), [])
    await addRows(database.db, 'reserved_regions', [{ region: 'ours', team_ids: [remote.teamId] }])
    const teams = (await claimedBy(here)).map(({ monitor }) => monitor.team_id)
    assert.ok(teams.includes(remote.teamId))
    assert.ok(!teams.includes(late.teamId))
    assert.ok(!teams.includes(reserved.teamId))
    assert.equal((await readDiagnosis(database.db.query, late))?.isLate, true)
  })

  it('reads the newest check of each region, the last that passed, and other monitors by their host', async () => {
    const wish = await asked()
    const { monitorId: monitor_id, teamId } = wish
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    await addChecks(database.db, [
      { monitor_id, region: 'lon', checked_at: ago(30), status: 'up', http_status_code: 200 },
      { monitor_id, region: 'lon', checked_at: ago(2), status: 'down', error_message: 'HTTP 500' },
      { monitor_id, region: 'fra', checked_at: ago(20), status: 'up' },
    ])
    await addMonitor(database.db, { team_id: teamId, name: 'Same', url: 'https://Shop.Example/x' })
    await addMonitor(database.db, { name: 'Of others', url: 'https://shop.example/' })
    const [claimed] = (await claimedBy(await join())).filter(
      ({ incidentId }) => incidentId === wish.incidentId,
    )
    if (!claimed) throw new Error('nothing was claimed')
    const facts = await claims.readFacts(claimed)
    assert.deepEqual(
      facts.regions.map(({ region, status, errorMessage }) => [region, status, errorMessage]),
      [
        ['fra', 'up', null],
        ['lon', 'down', 'HTTP 500'],
      ],
    )
    assert.equal(facts.lastPassed?.region, 'fra')
    const others = await claims.readOthers(claimed, ['shop.example'])
    assert.deepEqual(
      others.map(({ name }) => name),
      ['Same'],
    )
  })

  it('is compared with how the target looked, while the monitor is as it was then', async () => {
    const wish = await asked()
    const baselines = createBaselines(database.db)
    const [claimed] = (await claimedBy(await join())).filter(
      ({ incidentId }) => incidentId === wish.incidentId,
    )
    if (!claimed) throw new Error('nothing was claimed')
    const { revision } = claimed.monitor
    const known = async () => (await claims.readFacts(claimed)).baseline
    const ago = (ms: number) => new Date(Date.now() - ms)
    const look = { address: '192.0.2.1', server: 'nginx', bytes: 2 ** 40, redirect: null, fingerprint: 'ab' }
    const seen = { monitorId: wish.monitorId, teamId: wish.teamId, revision, region: 'lon', ...look }
    assert.equal(await known(), null)
    const first = ago(2 * BASELINE_CHANGES_MS)
    await baselines.write([
      { ...seen, seenAt: first },
      { ...seen, seenAt: first, monitorId: wish.monitorId + 1_000_000 },
    ])
    assert.deepEqual(await known(), { seenAt: first, region: 'lon', ...look })
    await baselines.write([{ ...seen, teamId: wish.teamId + 1_000_000, server: 'of others', seenAt: ago(0) }])
    assert.equal((await known())?.server, 'nginx')
    const second = ago(0)
    await baselines.write([{ ...seen, server: 'cloud', seenAt: second }])
    assert.equal((await known())?.server, 'cloud')
    await baselines.write([{ ...seen, server: 'too soon', seenAt: ago(-BASELINE_CHANGES_MS / 2) }])
    assert.equal((await known())?.server, 'cloud')
    await baselines.write([{ ...seen, server: 'of other settings', revision: revision + 1, seenAt: ago(0) }])
    assert.equal(await known(), null)
    assert.equal(await countRows(database.db, 'baselines', { team_id: wish.teamId }), 1)
  })

  it('is asked for with each incident that opens of a monitor that is checked, up to so many at a time', async () => {
    const team_id = await addTeam(database.db)
    const open = async (type: 'http' | 'heartbeat') => {
      const monitor = await addMonitor(database.db, { team_id, type })
      const startedAt = new Date()
      const subject = { kind: 'monitor' as const, teamId: team_id, subjectId: monitor.id }
      return openIncident(database.db.pool, { ...subject, startedAt, cause: 'HTTP 500' })
    }
    const incidentId = await open('heartbeat')
    assert.equal(await readDiagnosis(database.db.query, { teamId: team_id, incidentId }), null)
    for (let count = 0; count < MAX_WAITING_DIAGNOSES + 2; count++) await open('http')
    assert.equal(await countRows(database.db, 'diagnoses', { team_id }), MAX_WAITING_DIAGNOSES)
    const prober = await join()
    const [claimed] = (await claimedBy(prober)).filter(({ monitor }) => monitor.team_id === team_id)
    if (!claimed) throw new Error('nothing was claimed')
    const summary = () => readDiagnosisSummary(database.db.query, team_id, claimed.incidentId)
    assert.equal(await summary(), null, 'alerts do without until it is there')
    await claims.answer(claimed, prober, FOUND)
    assert.equal(await summary(), 'no connection')
    const { diagnosis: id } = claimed
    await changeRows(database.db, 'diagnoses', { id }, { found: { ...FOUND, outcome: 'impossible' } })
    assert.equal(await summary(), null, 'trouble of ours says nothing')
  })

  it('goes with its incident, and those of the last incidents of a monitor are kept', async () => {
    const wish = await asked()
    const prober = await join()
    const team_id = wish.teamId
    const [claimed] = (await claimedBy(prober)).filter(({ incidentId }) => incidentId === wish.incidentId)
    if (!claimed) throw new Error('nothing was claimed')
    for (let index = 0; index < MAX_DIAGNOSES_OF_MONITOR + 3; index++) {
      const old = await addIncident(database.db, {
        ...{ team_id, monitor_id: wish.monitorId, resolved_at: new Date() },
      })
      const at = new Date(Date.now() - HOUR_MS)
      await addRows(database.db, 'diagnoses', [
        {
          team_id,
          monitor_id: wish.monitorId,
          team_incident_id: old,
          asked_at: at,
          expires_at: at,
          ended_at: at,
        },
      ])
    }
    await claims.answer(claimed, prober, FOUND)
    assert.equal(
      await countRows(database.db, 'diagnoses', { monitor_id: wish.monitorId }),
      MAX_DIAGNOSES_OF_MONITOR,
    )
    await database.db.pool.query(`DELETE FROM team_incidents WHERE kind = 'monitor' AND id = $1`, [
      wish.incidentId,
    ])
    assert.equal(await readDiagnosis(database.db.query, wish), null)
  })
})
