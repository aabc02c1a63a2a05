import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Check } from '../../../src/core/monitors/check.ts'
import type { TeamConfirmationPatch } from '../../../src/core/monitors/confirmation.ts'
import type { Incident } from '../../../src/core/monitors/incident.ts'
import { updateTeamConfirmation } from '../../../src/store/monitors/team-confirmation.ts'
import { deliveriesOf } from '../../support/records/delivery-log.ts'
import { type KeptCheck, keptChecks } from '../../support/records/recorded-checks.ts'
import { countRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { type CountingTarget, startCountingTarget } from '../../support/servers/counting-target.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { startTestService, type TestService } from '../../support/services/service.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

const RECOVERY_CHECKS = 3
const CAUSE = 'HTTP 503 (expected 200)'
/** The failure seen from a region that cannot reach the target. */
const NO_WAY = 'address 127.0.0.1 is not allowed'
/** How a region confirms a failure itself, when the other one was not there in time. */
const ALONE = 'by another attempt'

/** The state of a monitor after each step. */
type Story = {
  id: number
  blind: { checks: KeptCheck[]; shown: Check[]; incidents: Incident[] }
  failing: { checks: KeptCheck[]; incidents: Incident[] }
  recovered: { checks: KeptCheck[]; incidents: Incident[]; events: string[] }
}

/** The other region was too slow to confirm anything: that is as it should be, and another story. */
class TooSlow extends Error {}

/** London sees the target and New York does not. London is in the process of the tests; New York gets killed. */
export function describeConfirmation(): void {
  describe('two regions that confirm failures', { concurrency: 1 }, () => {
    const scope = suiteScope()
    let target: CountingTarget
    let lon: AskedService
    let nyc: TestService
    let client: TeamClient
    let story: Story
    let pages = 0

    before(async () => {
      target = await startCountingTarget(scope)
      lon = await startServiceHere({ REGION: 'lon' })
      scope.after(() => lon.close())
      client = await teamClient(lon)
      const { DATABASE_URL = '', SECRET_KEY = '' } = lon.env
      const environment = { DATABASE_URL, SECRET_KEY, ROLES: 'probe,scheduler', REGION: 'nyc' }
      nyc = await startTestService({ ...environment, PRIVATE_TARGETS: 'deny' })
      await nyc.letGo()
      scope.after(async () => {
        await nyc.signal('SIGKILL')
        await nyc.close()
      })
      await settle({ confirmations: 1, recovery_checks: RECOVERY_CHECKS })
      story = await until('regions that confirm in time', () =>
        live().catch((error) => {
          if (error instanceof TooSlow) return null
          throw error
        }),
      )
    })

    const settle = (changes: TeamConfirmationPatch) =>
      updateTeamConfirmation(lon.services.db, client.teamId, changes)

    /** The life of a monitor, from the first failure that one region sees alone to an outage and its end. */
    async function live(): Promise<Story> {
      const page = `shop${++pages}`
      const { id } = await client.monitor({ name: page, url: target.url(page) })
      await untilChecks(id, 'failures that are not confirmed', (all) => all.filter(isUnconfirmed).length >= 2)
      const blind = {
        shown: await client.checks(id),
        incidents: await client.incidents(id),
        checks: await checksInTime(id),
      }
      target.failing.add(page)
      await untilChecks(id, 'two failures', (all) => all.filter(isDown).length >= 2)
      const failing = { incidents: await client.incidents(id), checks: await checksInTime(id) }
      target.failing.delete(page)
      await until('the end of the incident', async () => {
        await checksInTime(id)
        return (await client.incidents(id))[0]?.resolved
      })
      const recovered = {
        incidents: await client.incidents(id),
        events: await events(id),
        checks: await checksInTime(id),
      }
      return { id, blind, failing, recovered }
    }

    async function checksInTime(id: number): Promise<KeptCheck[]> {
      const checks = await keptChecks(lon, id)
      if (checks.some(({ error_message }) => error_message?.includes(ALONE))) throw new TooSlow()
      return checks
    }

    const untilChecks = (id: number, what: string, accept: (checks: KeptCheck[]) => boolean) =>
      until(what, async () => accept(await checksInTime(id)))

    const events = async (id: number) => (await deliveriesOf(lon, id)).map(({ event }) => event)

    it('take a failure of one of them for what it is: the check passes, and says what was seen', () => {
      const { checks, shown, incidents } = story.blind
      const text = `not confirmed from lon (seen from nyc): ${NO_WAY}`
      for (const check of checks.filter(isUnconfirmed)) {
        assert.deepEqual([check.status, check.region, check.error_message], ['up', 'lon', text])
      }
      assert.deepEqual(checks.filter(isDown), [])
      assert.deepEqual(incidents, [])
      // A passing check has no failure to show to programs.
      assert.deepEqual(new Set(shown.map((one) => one.error_message)), new Set([null]))
    })

    it('believe one that both see, and name the region that confirmed it; the cause stays the same', () => {
      const { checks, incidents } = story.failing
      const [failed, next] = checks.filter(isDown)
      const texts = [`${CAUSE} (confirmed from nyc)`, `${NO_WAY} (confirmed from lon)`]
      assert.ok(texts.includes(failed?.error_message ?? ''), failed?.error_message ?? 'no text')
      const [incident] = incidents
      assert.ok([CAUSE, NO_WAY].includes(incident?.cause ?? ''), incident?.cause ?? 'no cause')
      assert.equal(Date.parse(incident?.started_at ?? ''), Date.parse(failed?.checked_at ?? ''))
      // A monitor that is already down is not confirmed again.
      assert.ok([CAUSE, NO_WAY].includes(next?.error_message ?? ''), next?.error_message ?? 'no text')
    })

    it('wait for as many passing checks as the team wants, and not for ever for one that cannot see it', () => {
      const { checks, incidents, events } = story.recovered
      const [incident, ...others] = incidents
      assert.deepEqual(others, [])
      const passed = checks.slice(checks.findLastIndex(isDown) + 1).filter(({ status }) => status === 'up')
      const [last] = passed.slice(RECOVERY_CHECKS - 1)
      assert.equal(Date.parse(incident?.resolved_at ?? ''), Date.parse(last?.checked_at ?? ''))
      assert.deepEqual(events, ['monitor.down', 'monitor.recovery'])
    })

    it('alert of what one of them sees as soon as the team wants no confirmation', async () => {
      const last = (await keptChecks(lon, story.id)).at(-1)
      await settle({ confirmations: 0, recovery_checks: 1 })
      const alerted = await untilAfter(
        last,
        'a failure',
        (one) => isDown(one) && one.error_message === NO_WAY,
      )
      await settle({ confirmations: 1 })
      await untilAfter(alerted, 'one that is not confirmed', isUnconfirmed)
    })

    const untilAfter = (last: KeptCheck | undefined, what: string, accept: (check: KeptCheck) => boolean) =>
      until(what, async () =>
        (await keptChecks(lon, story.id)).find(
          (check) => check.checked_at > (last?.checked_at ?? '') && accept(check),
        ),
      )

    it('lose no failure when the one that is to confirm it is killed', async () => {
      const { id } = story
      await nyc.signal('SIGKILL')
      await client.untilStatus(id, 'up')
      const before = (await client.incidents(id)).length
      const last = (await keptChecks(lon, id)).at(-1)
      target.failing.add(`shop${pages}`)
      const failed = await untilAfter(last, 'a failure', (one) => isDown(one) && one.region === 'lon')
      assert.equal(failed.error_message, `${CAUSE} (confirmed ${ALONE})`)
      await until('the incident', async () => (await client.incidents(id)).length === before + 1)
      const told = await events(id)
      assert.deepEqual(
        told,
        told.map((_, index) => (index % 2 === 0 ? 'monitor.down' : 'monitor.recovery')),
      )
      await until('nothing left behind', async () => {
        return (await countRows(lon.services.db, 'confirmations')) === 0
      })
    })
  })
}

const isDown = ({ status }: KeptCheck) => status === 'down'

/** A check that passed, although somebody saw it fail. */
const isUnconfirmed = ({ status, error_message }: KeptCheck) => status === 'up' && error_message !== null
