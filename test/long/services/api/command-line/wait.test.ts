// npm test leaves this out: it waits in commands for checks that come (seconds).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { REAL_DELAYS } from '../../../../../src/cli/client/delays.ts'
import { type Job, jobOf } from '../../../../support/probing/heartbeat-job.ts'
import { suiteScope } from '../../../../support/scope.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { type Commander, commander } from '../../../../support/services/remote-command.ts'

describe('waiting as a gate', () => {
  const scope = suiteScope()
  let service: AskedService
  let person: Commander
  let teamId: number
  let id: string
  let ping: Job

  before(async () => {
    service = await apiService()
    person = commander(service.services)
    scope.after(async () => person.close())
    teamId = (await service.createTeam()).id
    const beat = ['--type', 'heartbeat', '--check-interval-minutes', '60']
    const { data } = await run(['monitors', 'create', '--name', 'Gate', '--json', ...beat])
    id = String(data.id)
    ping = jobOf(service, data)
  })

  /** As a member of its own each time, for the rate limit is a member's. */
  async function run(args: string[], around: Parameters<Commander['run']>[1] = {}) {
    const token = await service.createToken(teamId, 'admin')
    return person.run(args, { environment: { url: service.url, token }, ...around })
  }
  const wait = (args: string[], around: Parameters<Commander['run']>[1] = {}) =>
    run(['wait', '--monitor', id, ...args], around)
  /** Its patience ends before it has looked twice. */
  const briefly = { pausing: (giveUp: () => void) => giveUp() }

  it('takes no result from before its start, unless that is allowed', async () => {
    await ping()
    const ran = await wait(['--timeout', '1'], briefly)
    assert.deepEqual([ran.status, ran.out], [1, ''])
    assert.ok(
      ran.err.endsWith(`monitor ${id} (Gate) is up by a check before this wait; not up within 1 s\n`),
      ran.err,
    )
    const allowed = await wait(['--allow-current', '--json'])
    assert.deepEqual([allowed.status, allowed.err, allowed.data[0].status], [0, '', 'up'])
  })

  it('ends once a check after its start found the status', async () => {
    await ping()
    const ran = await wait(['--status', 'up', '--timeout', '60'], { pausing: () => ping() })
    assert.deepEqual([ran.status, ran.out], [0, `monitor ${id} (Gate) is up\n`], ran.err)
    assert.match(ran.err, /^waiting: monitor \d+ \(Gate\) is up by a check before this wait\n/)
  })

  it('gives up after the timeout, with the last cause', async () => {
    await ping('/fail')
    const byTheClock = await wait(['--timeout', '1'], { delays: REAL_DELAYS })
    assert.deepEqual([byTheClock.status, byTheClock.out], [1, ''])
    assert.match(byTheClock.err, /; not up within 1 s\n$/)
    const ran = await wait(['--timeout', '1'], briefly)
    assert.deepEqual([ran.status, ran.out], [1, ''])
    const { data } = await run(['monitors', 'show', id, '--json'])
    const { cause } = data.open_incident
    assert.ok(ran.err.endsWith(`monitor ${id} (Gate) is down: ${cause}; not up within 1 s\n`), ran.err)
  })

  it('warns of a monitor that is checked too rarely', async () => {
    const rarely = ['--url', 'http://rare.example/', '--check-interval-minutes', '60']
    const { out } = await run(['monitors', 'create', '--name', 'Rare', '--type', 'http', ...rarely])
    const ran = await run(['wait', '--monitor', out.trim(), '--timeout', '1'], briefly)
    assert.equal(ran.status, 1)
    assert.match(ran.err, /is checked every 3600 s only: no check may come within 1 s \(--allow-current/)
    assert.match(ran.err, /\(Rare\) is pending; not up within 1 s\n$/)
  })

  it('does not wait for what cannot come', async () => {
    await run(['monitors', 'pause', id])
    const paused = await wait(['--timeout', '600'])
    assert.deepEqual([paused.status, paused.err], [1, `monitor ${id} (Gate) is paused: it is not checked\n`])
    const unknown = await run(['wait', '--monitor', '999999', '--timeout', '600'])
    assert.deepEqual([unknown.status, /^monitor 999999: there is no such/.test(unknown.err)], [1, true])
    for (const wrong of [
      ['--timeout', '0'],
      ['--timeout', '1h'],
      ['--status', 'fine'],
      ['--monitor', 'x'],
    ]) {
      assert.equal((await wait(wrong)).status, 2, wrong.join(' '))
    }
  })
})
