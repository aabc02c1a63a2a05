// npm test leaves this out: it turns a switch in every way that its address takes (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import ICAL from 'ical.js'
import * as nodeIcal from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'
import { WindowDetail } from '../../../../../src/core/maintenance/shown-window.ts'
import { RATE_LIMITS, WRONG_SECRETS } from '../../../../../src/core/request-limits.ts'
import { readRevisions } from '../../../../../src/store/maintenance/judged-windows.ts'
import { oneOff, recurring, sent, switchWindow } from '../../../../support/maintenance/windows.ts'
import { holdWindow } from '../../../../support/records/rate-limit-windows.ts'
import { assertInvalid, assertProblem } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { ask } from '../../../../support/services/http.ts'
import { type People, peopleOf, type Team } from '../../../../support/services/people.ts'
import { clientAddress } from '../../../../support/sign-in/cookie-browser.ts'

const PATH = '/maintenance-windows'
const MINUTE_MS = 60_000

let service: AskedService
let people: People

before(async () => {
  service = await apiService()
  people = peopleOf(service)
})

/** Each from an address of its own, which is counted apart. */
async function send(method: string, url: string, headers: Record<string, string> = {}) {
  const { pathname, search } = new URL(url)
  const told = await ask(`${service.url}${pathname}${search}`, {
    method,
    headers: { 'x-forwarded-for': clientAddress(), ...headers },
  })
  const isJson = told.headers.get('content-type')?.includes('json') ?? false
  return { ...told, body: isJson && told.text !== '' ? JSON.parse(told.text) : undefined }
}

describe('the secret address of a switch', () => {
  async function newSwitch(changes: object = {}) {
    const team = await people.team()
    const read = async (path: string, method = 'GET', body?: object) =>
      WindowDetail.parse(await team.owner.data(team.id, method, `${PATH}${path}`, body))
    const { id, addresses } = await read('', 'POST', {
      ...sent(switchWindow({ max_minutes: 90 })),
      ...changes,
    })
    assert.ok(addresses)
    return { team, id, addresses, read: () => read(`/${id}`), rotate: () => read(`/${id}/address`, 'POST') }
  }
  const minutesOf = ({ current }: WindowDetail) =>
    current && Math.round((Date.parse(current.ends_at) - Date.parse(current.starts_at)) / MINUTE_MS)

  it('turns it on for its longest time or less, moves the end, and turns it off', async () => {
    const { addresses, read } = await newSwitch()
    for (const [url, minutes] of [
      [addresses.start, 90],
      [`${addresses.start}?minutes=5`, 5],
      [`${addresses.start}?minutes=90&other=1`, 90],
      [`${addresses.start}?minutes=`, 90],
      [`${addresses.stop}?minutes=x`, null],
      [addresses.stop, null],
    ] as const) {
      const answer = await send('POST', url)
      assert.deepEqual([answer.status, answer.text], [204, ''], url)
      assert.equal(minutesOf(await read()), minutes)
    }
  })

  it('refuses times that it does not take, by the name of the parameter', async () => {
    const { addresses, read } = await newSwitch()
    for (const minutes of ['0', '91', '1441', '-1', '1.5', 'long']) {
      assertInvalid(await send('POST', `${addresses.start}?minutes=${minutes}`), ['minutes'])
    }
    assert.equal((await read()).current, null)
  })

  it('is turned by POST alone, so that nothing that looks at links turns it', async () => {
    const { addresses, read } = await newSwitch()
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const answer = await send(method, addresses.start)
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], method)
    }
    assert.equal((await read()).current, null)
  })

  it('is gone once it is replaced, or the window deleted', async () => {
    const { team, id, addresses, rotate } = await newSwitch()
    const { addresses: next } = await rotate()
    assert.ok(next)
    assertProblem(await send('POST', addresses.start), 404)
    assert.equal((await send('POST', next.start)).status, 204)
    await team.owner.ask(team.id, 'DELETE', `${PATH}/${id}`)
    for (const url of [next.start, next.stop, next.start.replace(/[0-9a-f-]{36}/, randomUUID())]) {
      assertProblem(await send('POST', url), 404)
    }
    assertProblem(await send('POST', `${service.url}/maintenance/1/start`), 404)
  })

  it('leaves a line in the audit log, but for what changes nothing', async () => {
    const { team, addresses } = await newSwitch({ name: 'Deploy of the shop' })
    const revision = async () => (await readRevisions(service.services.db.pool, [team.id])).get(team.id)
    const revisions = [await revision()]
    for (const url of [addresses.stop, `${addresses.start}?minutes=5`, addresses.stop, addresses.stop]) {
      await send('POST', url)
      revisions.push(await revision())
    }
    // Every process reads the windows again where it goes up.
    assert.deepEqual(revisions, [1, 1, 2, 3, 3])
    const entries = await team.owner.data(team.id, 'GET', '/audit-log')
    assert.deepEqual(
      entries
        .filter(({ door }: { door: string }) => door === 'address')
        .map((entry: Record<string, unknown>) => [entry.actor, entry.action, entry.subject, entry.fields]),
      [
        ['A program with the secret address', 'endMaintenance', 'Deploy of the shop', []],
        ['A program with the secret address', 'startMaintenance', 'Deploy of the shop', ['minutes']],
      ],
    )
  })

  it('takes as many requests a minute as a heartbeat, and turns away no other', async () => {
    const { id, addresses } = await newSwitch()
    const { addresses: other } = await newSwitch()
    await send('POST', addresses.stop)
    await holdWindow(service, `maintenance-switch:${id}`)
    const more = Array.from({ length: RATE_LIMITS.perSwitch }, () => send('POST', addresses.stop))
    const statuses = (await Promise.all(more)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 204).length, RATE_LIMITS.perSwitch - 1)
    const refused = await send('POST', addresses.stop)
    assertProblem(refused, 429)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal((await send('POST', other.stop)).status, 204)
  })

  it('is for its sender, while wrong, like a wrong ping', async () => {
    const from = { 'x-forwarded-for': clientAddress() }
    assert.equal((await send('GET', `${service.url}/ping/none`, from)).status, 404)
    await holdWindow(service, `wrong-ping:${from['x-forwarded-for']}`, WRONG_SECRETS.ping)
    assertProblem(await send('POST', `${service.url}/maintenance/none/stop`, from), 429)
    const { addresses } = await newSwitch()
    assert.equal((await send('POST', addresses.stop, from)).status, 204)
  })

  it('prints no token', () => {
    assert.doesNotMatch(service.output(), /\/maintenance\/[0-9a-f-]{36}/)
  })
})

describe('the calendar of a team', () => {
  const inAnHour = () => new Date(Math.floor(Date.now() / MINUTE_MS + 60) * MINUTE_MS)

  async function calendarOf(team: Team): Promise<string> {
    return (await team.owner.data(team.id, 'POST', '/maintenance-calendar')).url
  }

  it('opens in three parsers, which read the same', async () => {
    const team = await people.team()
    const start = inAnHour()
    const name = `Umzug; Phase 1, "Köln" – ${'lang und länger, '.repeat(8)}`
    const once = { ...oneOff(start.toISOString(), new Date(start.getTime() + 30 * MINUTE_MS).toISOString()) }
    const note = 'First line\nsecond, line; with \\ all'
    await team.owner.data(team.id, 'POST', PATH, { ...sent(once), name, note })
    await team.owner.data(team.id, 'POST', PATH, sent(recurring({ local_start: '2026-01-01T02:00' })))
    const { id } = await team.owner.data(team.id, 'POST', PATH, { ...sent(switchWindow()), name: 'Deploy' })
    await team.owner.data(team.id, 'POST', `${PATH}/${id}/start`, {})
    const answer = await send('GET', await calendarOf(team))
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')],
      [200, 'text/calendar; charset=utf-8', 'private, no-cache'],
    )

    type Read = { uid: string; name: string; note: string; start: number; end: number }
    const inOrder = (events: Read[]) =>
      events.sort((one, other) => one.start - other.start || one.uid.localeCompare(other.uid))
    const byIcalJs = new ICAL.Component(ICAL.parse(answer.text))
      .getAllSubcomponents('vevent')
      .map((component) => new ICAL.Event(component))
      .map((event) => ({
        uid: event.uid,
        name: event.summary,
        note: event.description ?? '',
        start: event.startDate.toJSDate().getTime(),
        end: event.endDate.toJSDate().getTime(),
      }))
    const byNodeIcal = Object.values(nodeIcal.sync.parseICS(answer.text)).flatMap((event) =>
      event?.type === 'VEVENT'
        ? {
            uid: event.uid,
            name: String(event.summary),
            note: String(event.description ?? ''),
            start: event.start.getTime(),
            end: event.end?.getTime() ?? 0,
          }
        : [],
    )
    const byTsIcs = (convertIcsCalendar(undefined, answer.text).events ?? []).map((event) => ({
      uid: event.uid,
      name: event.summary,
      note: event.description ?? '',
      start: event.start.date.getTime(),
      end: event.end?.date.getTime() ?? 0,
    }))
    const read = inOrder(byIcalJs)
    assert.deepEqual(inOrder(byNodeIcal), read)
    assert.deepEqual(inOrder(byTsIcs), read)
    const [deploy, moving] = read
    assert.equal(deploy?.name, 'Deploy')
    assert.deepEqual(
      [moving?.name, moving?.note, moving?.start, (moving?.end ?? 0) - (moving?.start ?? 0)],
      [name, note, start.getTime(), 30 * MINUTE_MS],
    )
    assert.ok(read.length >= 14, String(read.length))
  })

  it('is sent again only once it changed', async () => {
    const team = await people.team()
    await team.owner.data(team.id, 'POST', PATH, sent(recurring()))
    const url = await calendarOf(team)
    const etag = (await send('GET', url)).headers.get('etag') ?? ''
    const known = { 'if-none-match': `"other", ${etag}` }
    const unchanged = await send('GET', url, known)
    assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers.get('etag')], [304, '', etag])
    await team.owner.data(team.id, 'POST', PATH, { ...sent(recurring()), name: 'Another' })
    assert.equal((await send('GET', url, known)).status, 200)
  })

  it('is read by its address alone, as long as it has that', async () => {
    const team = await people.team()
    const url = await calendarOf(team)
    assert.equal((await send('HEAD', url)).status, 200)
    const posted = await send('POST', url)
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
    const next = await calendarOf(team)
    assertProblem(await send('GET', url), 404)
    assert.equal((await send('GET', next)).status, 200)
    await team.owner.ask(team.id, 'DELETE', '/maintenance-calendar')
    for (const gone of [next, next.replace('.ics', ''), `${service.url}/calendars/x.ics`]) {
      assertProblem(await send('GET', gone, { accept: 'text/html' }), 404)
    }
  })
})
