import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { TeamConfirmationPatch } from '../../src/core/confirmation.ts'
import { updateTeamConfirmation } from '../../src/store/team-confirmation.ts'
import { type CountingTarget, startCountingTarget } from '../support/counting-target.ts'
import { suiteScope } from '../support/scope.ts'
import { databaseOf, startTestService, type TestService } from '../support/service.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { until } from '../support/until.ts'

const PAGE = 'shop'
const RECOVERY_CHECKS = 3
const CAUSE = 'HTTP 503 (expected 200)'
/** What a region finds that may not reach the target. */
const NO_WAY = 'address 127.0.0.1 is not allowed'

type Kept = { at: number; status: string; region: string; text: string | null }

describe('two regions that confirm failures', () => {
  const scope = suiteScope()
  let target: CountingTarget
  let api: TestService
  let nyc: TestService
  let client: TeamClient
  let id: number

  const startProcess = async (REGION: string, PRIVATE_TARGETS: string) => {
    const started = await startTestService({
      ...databaseOf(api),
      ROLES: 'probe,scheduler',
      REGION,
      PRIVATE_TARGETS,
    })
    await started.letGo()
    scope.after(async () => {
      await started.signal('SIGKILL')
      await started.close()
    })
    return started
  }

  before(async () => {
    target = await startCountingTarget(scope)
    api = await startTestService({ ROLES: 'api,alerts' })
    scope.after(() => api.close())
    client = await teamClient(api)
    await settle({ confirmations: 1, recovery_checks: RECOVERY_CHECKS })
    id = (await client.monitor({ name: PAGE, url: target.url(PAGE) })).id
    await startProcess('lon', 'allow')
    // Alone, the other one would be believed.
    await client.untilStatus(id, 'up')
    nyc = await startProcess('nyc', 'deny')
  })

  const settle = (changes: TeamConfirmationPatch) =>
    updateTeamConfirmation(api.services.db, client.teamId, changes)

  const query = async (text: string) => (await api.services.db.pool.query(text, [id])).rows

  const checks = async (): Promise<Kept[]> =>
    (
      await query(
        'SELECT checked_at, status, region, error_message FROM checks WHERE monitor_id = $1 ORDER BY checked_at',
      )
    ).map(({ checked_at, status, region, error_message }) => ({
      at: checked_at.getTime(),
      status,
      region,
      text: error_message,
    }))

  const untilKept = (what: string, accept: (check: Kept) => boolean) =>
    until(what, async () => (await checks()).find(accept))

  const events = async () =>
    (await query('SELECT event FROM deliveries WHERE monitor_id = $1 ORDER BY id')).map(({ event }) => event)

  it('take a failure of one of them for what it is: the check passes, and says what was seen', async () => {
    const text = `not confirmed from lon (seen from nyc): ${NO_WAY}`
    const check = await untilKept('a failure that is not confirmed', (one) => one.text === text)
    assert.deepEqual([check.status, check.region], ['up', 'lon'])
    await untilKept('the next one', (one) => one.text === text && one.at > check.at)
    assert.deepEqual(
      (await checks()).filter(({ status }) => status === 'down'),
      [],
    )
    assert.deepEqual(await client.incidents(id), [])
    // A passing check has no failure to show to programs.
    assert.deepEqual(new Set((await client.checks(id)).map((one) => one.error_message)), new Set([null]))
  })

  it('believe one that both see, and say who has confirmed it; the cause stays what it was', async () => {
    target.failing.add(PAGE)
    await client.untilStatus(id, 'down')
    const failed = await untilKept('a failure', ({ status }) => status === 'down')
    const texts = [`${CAUSE} (confirmed from nyc)`, `${NO_WAY} (confirmed from lon)`]
    assert.ok(texts.includes(failed.text ?? ''), failed.text ?? 'no text')
    const [incident] = await client.incidents(id)
    assert.ok([CAUSE, NO_WAY].includes(incident?.cause ?? ''), incident?.cause ?? 'no cause')
    assert.equal(Date.parse(incident?.started_at ?? ''), failed.at)
    // What is down already is not asked of others.
    const next = await untilKept('the next failure', ({ status, at }) => status === 'down' && at > failed.at)
    assert.ok([CAUSE, NO_WAY].includes(next.text ?? ''), next.text ?? 'no text')
  })

  it('wait for as many passing checks as the team wants, and not for ever for one that cannot see it', async () => {
    target.failing.delete(PAGE)
    const waiting = await until('one that passed and did not recover', async () => {
      const [state] = await query('SELECT status, passing FROM monitor_state WHERE monitor_id = $1')
      return state.passing > 0 && state
    })
    assert.equal(waiting.status, 'down')
    assert.deepEqual(await events(), ['monitor.down'])
    await client.untilStatus(id, 'up')
    const [incident] = await client.incidents(id)
    const all = await checks()
    const passed = all.slice(all.findLastIndex(({ status }) => status === 'down') + 1)
    assert.equal(passed[RECOVERY_CHECKS - 1]?.at, Date.parse(incident?.resolved_at ?? ''))
    assert.deepEqual(await events(), ['monitor.down', 'monitor.recovery'])
  })

  it('alert of what one of them sees as soon as the team wants no confirmation', async () => {
    await settle({ confirmations: 0, recovery_checks: 1 })
    const since = Date.now()
    await untilKept('a failure', ({ status, text, at }) => status === 'down' && text === NO_WAY && at > since)
    await settle({ confirmations: 1 })
    const at = Date.now()
    await untilKept(
      'one that is not confirmed',
      (one) => one.status === 'up' && one.text !== null && one.at > at,
    )
  })

  it('lose no failure when the one that is to confirm it is killed', async () => {
    const before = (await client.incidents(id)).length
    const since = Date.now()
    await nyc.signal('SIGKILL')
    target.failing.add(PAGE)
    const failed = await untilKept('a failure', ({ status, at }) => status === 'down' && at > since)
    assert.equal(failed.text, `${CAUSE} (confirmed by another attempt)`)
    await until('the incident', async () => (await client.incidents(id)).length === before + 1)
    const told = await events()
    assert.deepEqual(
      told,
      told.map((_, index) => (index % 2 === 0 ? 'monitor.down' : 'monitor.recovery')),
    )
    await until('nothing left behind', async () => {
      const { rowCount } = await api.services.db.pool.query('SELECT FROM confirmations')
      return rowCount === 0
    })
  })
})
