// npm test leaves this out: it makes reports and files of every list (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { CSV_LISTS } from '../../../../src/core/reports/csv-list.ts'
import { addIncident } from '../../../support/records/history.ts'
import { addServer } from '../../../support/records/servers.ts'
import { addSite } from '../../../support/records/sites.ts'
import { MONITORS } from '../../../support/services/api-bodies.ts'
import { assertInvalid } from '../../../support/services/api-problems.ts'
import { apiService } from '../../../support/services/api-service.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { type SignedIn, signIn } from '../../../support/services/signed-in.ts'

const RANGE = 'from=2026-10-01&to=2026-10-31&zone=Europe/Berlin'

describe('reports and lists as files', () => {
  let service: AskedService
  let owner: SignedIn
  let viewer: SignedIn
  let stranger: SignedIn
  let monitor: number

  before(async () => {
    service = await apiService()
    const { id } = await service.createTeam()
    owner = await signIn(service, id)
    viewer = await signIn(service, id, 'viewer')
    stranger = await signIn(service, (await service.createTeam()).id)
    const names = ['=HYPERLINK("http://evil.example")', 'Shop, with a comma; =cmd', 'Other']
    for (const name of names) {
      const { data } = await owner.ask('POST', '/monitors', { ...MONITORS.http, name })
      monitor = data.id
    }
    const { db } = service.services
    await addServer(db, { team_id: id, name: 'Rack one' })
    await addServer(db, { team_id: id, name: 'Rack two' })
    await addSite(db, { team_id: id, name: 'Shop' })
    await addIncident(db, {
      ...{ team_id: id, monitor_id: monitor, cause: '+1' },
      ...{ started_at: new Date('2026-10-03T10:00:00Z'), resolved_at: new Date('2026-10-03T10:05:00Z') },
    })
  })

  it('a report says what of the team was asked for, to viewers, too', async () => {
    const { data } = await viewer.ask('GET', `/report?${RANGE}`)
    assert.equal(data.subjects, 6)
    assert.equal(data.bars.length, 31)
    assert.equal(data.time_zone, 'Europe/Berlin')
    assert.equal(data.totals.incidents, 1)
    assert.equal(data.totals.incident_seconds, 300)
    const some = await viewer.ask('GET', `/report?${RANGE}&monitors=${monitor}`)
    assert.deepEqual(
      some.data.lines.map(({ name }: { name: string }) => name),
      ['Other'],
    )
    const foreign = await stranger.ask('GET', `/report?${RANGE}&monitors=${monitor}`)
    assert.deepEqual(foreign.data.lines, [])
  })

  it('a report goes by tags, saved or not, and then by no ids', async () => {
    const tag = (tags: string[]) => owner.ask('PUT', `/monitors/${monitor}/tags`, { tags })
    await tag(['env:prod'])
    const { data } = await viewer.ask('GET', `/report?${RANGE}&tags=env`)
    assert.deepEqual([data.subjects, data.lines[0].name], [1, 'Other'])
    assertInvalid(await owner.send('GET', `/report?${RANGE}&tags=env&monitors=${monitor}`), ['monitors'])
    const about = { name: 'Production', time_zone: 'UTC', all_subjects: false, tags: ['env:prod'] }
    const saved = (await owner.ask('POST', '/reports', about)).data
    assert.deepEqual([saved.tags, saved.monitor_ids], [['env:prod'], []])
    const change = (body: object) => owner.ask('PATCH', `/reports/${saved.id}`, body)
    const refused = await owner.send('PATCH', `/reports/${saved.id}`, { monitor_ids: [monitor] })
    assertInvalid(refused, ['monitor_ids'])
    assert.deepEqual((await change({ name: 'Prod' })).data.tags, ['env:prod'])
    const byIds = (await change({ tags: [], monitor_ids: [monitor] })).data
    assert.deepEqual([byIds.tags, byIds.monitor_ids], [[], [monitor]])
    assert.deepEqual((await change({ all_subjects: true, tags: ['env'] })).data.tags, [])
    await tag([])
  })

  const wrong: [query: string, field: string][] = [
    ['to=2026-10-31&zone=UTC', 'from'],
    ['from=2026-10-32&to=2026-10-31&zone=UTC', 'from'],
    ['from=2026-10-31&to=2026-10-30&zone=UTC', 'to'],
    ['from=2025-01-01&to=2026-10-30&zone=UTC', 'to'],
    ['from=2026-10-01&to=2026-10-30&zone=Mars', 'zone'],
    [`${RANGE}&monitors=1,x`, 'monitors'],
    [`${RANGE}&servers=${Array.from({ length: 201 }, (_, id) => id + 1).join()}`, 'servers'],
    [`${RANGE}&lines=10001`, 'lines'],
  ]
  for (const [query, field] of wrong) {
    it(`a report is refused by its ${field}: ${query.slice(0, 60)}`, async () => {
      assertInvalid(await owner.send('GET', `/report?${query}`), [field])
    })
  }

  for (const list of CSV_LISTS) {
    it(`the list of ${list} is a file with a head and a line for each row`, async () => {
      const query = list === 'report' ? `?${RANGE}` : list === 'checks' ? `?monitor=${monitor}` : ''
      const { status, headers, body } = await owner.send('GET', `/csv/${list}${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
      assert.match(
        headers.get('content-disposition') ?? '',
        new RegExp(`^attachment; filename="${list}-.*\\.csv"$`),
      )
      assert.match(body, /^[a-z_0-9]+(,[a-z_0-9]+)*\r\n/)
    })
  }

  it('a file lets no spreadsheet compute a name, and quotes what would end a cell', async () => {
    const { body } = await owner.send('GET', '/csv/monitors')
    assert.match(body, /,"'=HYPERLINK\(""http:\/\/evil\.example""\)",/)
    assert.match(body, /,"Shop, with a comma;' =cmd",/)
    const incidents = await owner.send('GET', '/csv/incidents')
    assert.match(incidents.body, /,300,"'\+1"\r\n$/)
  })

  it('a file has the rows of the filter alone', async () => {
    const linesOf = async (path: string) =>
      String((await owner.send('GET', path)).body)
        .trimEnd()
        .split('\r\n').length - 1
    assert.equal(await linesOf('/csv/monitors'), 3)
    assert.equal(await linesOf('/csv/monitors?search=shop'), 1)
    assert.equal(await linesOf('/csv/servers?search=TWO'), 1)
    assert.equal(await linesOf('/csv/servers?status=down'), 0)
    assert.equal(await linesOf('/csv/incidents?state=open'), 0)
    assert.equal(await linesOf(`/csv/report?${RANGE}`), 6)
  })

  it('a file has every page of a list, each row once', async () => {
    const big = await signIn(service, (await service.createTeam()).id)
    const bodies = Array.from({ length: 103 }, (_, index) => ({ ...MONITORS.http, name: `Monitor ${index}` }))
    for (const body of bodies) await big.ask('POST', '/monitors', body)
    const lines = String((await big.send('GET', '/csv/monitors')).body)
      .trimEnd()
      .split('\r\n')
      .slice(1)
    assert.deepEqual(
      new Set(lines.map((line) => line.split(',')[1])),
      new Set(bodies.map(({ name }) => name)),
    )
    assert.equal(lines.length, 103)
  })

  it('files are for members who may read the list, and for the team of the address alone', async () => {
    assert.equal((await viewer.send('GET', '/csv/monitors')).status, 200)
    assert.equal((await viewer.send('GET', '/csv/audit-log')).status, 403)
    assert.equal((await stranger.send('GET', `/csv/checks?monitor=${monitor}`)).status, 404)
    assert.equal((await owner.send('GET', '/csv/checks')).status, 404)
    assert.equal((await owner.send('GET', '/csv/passwords')).status, 404)
    assert.equal((await owner.send('POST', '/csv/monitors')).status, 405)
    assertInvalid(await owner.send('GET', '/csv/monitors?status=asleep'), ['status'])
    const away = await stranger.browser.send('GET', `/app/teams/${owner.teamId}/csv/monitors`)
    assert.equal(away.status, 404)
    assert.equal((await fetch(`${service.url}/app/teams/${owner.teamId}/csv/monitors`)).status, 401)
  })
})
