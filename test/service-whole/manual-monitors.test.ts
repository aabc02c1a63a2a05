import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import type { Monitor } from '../../src/core/monitors/monitor.ts'
import { deliveriesOf } from '../support/records/delivery-log.ts'
import { assertInvalid, assertProblem } from '../support/services/api-problems.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { documentedAsk } from '../support/services/documented.ts'
import { type SignedIn, signIn } from '../support/services/signed-in.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

describe('a monitor that is switched by hand', { concurrency: true }, () => {
  let service: AskedService
  let member: SignedIn

  before(async () => {
    service = await wholeService()
    member = await signIn(service, (await service.createTeam()).id)
  })

  const made = async (changes: object = {}): Promise<Monitor> =>
    (await member.ask('POST', '/monitors', { name: 'Telephone', type: 'manual', ...changes })).data
  const shown = async ({ id }: Monitor): Promise<Monitor> => (await member.ask('GET', `/monitors/${id}`)).data
  const say = async ({ heartbeat_url }: Monitor, words: string, method = 'POST') => {
    const path = new URL(heartbeat_url ?? '').pathname
    return (await documentedAsk(`${service.url}${path}/${words}`, { method })).status
  }
  const changesOf = async ({ id }: Monitor) => {
    const { data } = await member.ask('GET', `/monitors/${id}/check-details`)
    return data.map((check: Record<string, unknown>) => [check.status, check.error_message, check.note])
  }

  it('is pending without a URL or an interval, and has an address of its own', async () => {
    const monitor = await made({ url: 'not a url', check_interval_minutes: 'none' })
    assert.ok(monitor.heartbeat_url?.endsWith(`/manual/${monitor.heartbeat_token}`))
    assert.deepEqual([monitor.status, monitor.url, monitor.last_checked_at], ['pending', null, null])
  })

  it('is what a program says, with its reason, and alerts as others do', async () => {
    const monitor = await made()
    assert.equal(await say(monitor, 'up?msg=We+are+back'), 204)
    assert.equal((await shown(monitor)).status, 'up')
    assert.equal(await say(monitor, 'down?msg=No+dial%0Atone'), 204)
    const down = await shown(monitor)
    assert.deepEqual([down.status, down.open_incident?.cause], ['down', 'No dial tone'])
    assert.equal(await say(monitor, 'down'), 204)
    assert.equal((await shown(monitor)).open_incident?.cause, 'No dial tone')
    assert.equal(await say(monitor, 'up'), 204)
    assert.deepEqual([(await shown(monitor)).status, (await shown(monitor)).open_incident], ['up', null])
    assert.deepEqual(await changesOf(monitor), [
      ['up', null, null],
      ['down', 'it was said to be down', null],
      ['down', 'No dial tone', null],
      ['up', null, 'We are back'],
    ])
    assert.deepEqual(
      (await deliveriesOf(service, monitor.id)).map(({ event }) => event),
      ['monitor.down', 'monitor.recovery'],
    )
  })

  it('is what owners and admins say on its page, and no viewer', async () => {
    const monitor = await made()
    const path = `/monitors/${monitor.id}/switch`
    await member.ask('POST', path, { state: 'down', message: 'Cable cut' })
    assert.deepEqual((await shown(monitor)).open_incident?.cause, 'Cable cut')
    await member.ask('POST', path, { state: 'up' })
    assert.equal((await shown(monitor)).status, 'up')
    assertInvalid(await member.send('POST', path, { state: 'degraded' }), ['state'])
    const viewer = await signIn(service, member.teamId, 'viewer')
    assertProblem(await viewer.send('POST', path, { state: 'down' }), 403)
    assert.equal((await shown(monitor)).status, 'up')
  })

  it('is switched by nothing else: no link, no other token, no other word', async () => {
    const monitor = await made()
    const job = await made({ type: 'heartbeat', check_interval_minutes: 60 })
    assert.equal(await say(monitor, 'down', 'GET'), 405)
    assert.equal(await say(monitor, 'degraded'), 404)
    assert.equal(await say(monitor, ''), 404)
    assert.equal(
      await say(
        { ...monitor, heartbeat_url: monitor.heartbeat_url?.replace(/[^/]+$/, randomUUID()) ?? '' },
        'down',
      ),
      404,
    )
    const swapped = (one: Monitor, path: string) => ({
      ...one,
      heartbeat_url: `${service.url}${path}/${one.heartbeat_token}`,
    })
    assert.equal(await say(swapped(job, '/manual'), 'down'), 404)
    assert.equal(await say(swapped(monitor, '/ping'), 'fail'), 404)
    assert.deepEqual([(await shown(monitor)).status, (await shown(job)).status], ['pending', 'pending'])
    const web = await made({ type: 'http', url: 'http://127.0.0.1:9/', check_interval_minutes: 60 })
    assertInvalid(await member.send('POST', `/monitors/${web.id}/switch`, { state: 'up' }), ['type'])
    assertInvalid(await member.send('POST', `/monitors/${monitor.id}/check-now`), ['type'])
  })

  it('takes no word while it is paused, and waits for one afterwards', async () => {
    const monitor = await made()
    await say(monitor, 'down')
    await member.ask('POST', `/monitors/${monitor.id}/toggle`)
    assert.equal(await say(monitor, 'up'), 404)
    assertInvalid(await member.send('POST', `/monitors/${monitor.id}/switch`, { state: 'up' }), ['is_active'])
    await member.ask('POST', `/monitors/${monitor.id}/toggle`)
    assert.equal((await shown(monitor)).status, 'pending')
  })

  it('counts in a group at once', async () => {
    const [one, other] = [await made(), await made()]
    const group = await made({ type: 'group', options: { members: [one.id, other.id] } })
    await say(one, 'up')
    await say(other, 'down')
    assert.equal((await shown(group)).status, 'down')
    await say(other, 'up')
    assert.equal((await shown(group)).status, 'up')
  })

  it('that is said to be down under a window is told down once that is over', async () => {
    const monitor = await made()
    const { data: window } = await member.ask('POST', '/maintenance-windows/now', {
      monitor_ids: [monitor.id],
      minutes: 30,
    })
    await say(monitor, 'down?msg=Moving+house')
    assert.equal((await shown(monitor)).status, 'maintenance')
    await member.ask('POST', `/maintenance-windows/${window.id}/end`)
    const told = await until('the end of the window is followed', async () => {
      const found = await shown(monitor)
      return found.status === 'down' && found
    })
    assert.equal(told.open_incident?.cause, 'Moving house')
  })
})
