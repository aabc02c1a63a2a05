// npm test leaves this out: it asks for windows of every kind (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { OccurrenceRow, WindowDetail, WindowRow } from '../../../../../src/core/maintenance/shown-window.ts'
import { MAX_WINDOWS } from '../../../../../src/core/maintenance/window.ts'
import { listKept } from '../../../../../src/store/maintenance/occurrences.ts'
import { insertWindow } from '../../../../../src/store/maintenance/windows.ts'
import { oneOff, recurring, sent, switchWindow } from '../../../../support/maintenance/windows.ts'
import { addRows, changeRows } from '../../../../support/records/rows.ts'
import { MONITORS } from '../../../../support/services/api-bodies.ts'
import { assertInvalid, assertProblem } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { type People, type Person, peopleOf, type Team } from '../../../../support/services/people.ts'

const PATH = '/maintenance-windows'
const MINUTE_MS = 60_000

describe('maintenance windows', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString()
  /** Began so many minutes ago by its times, and ends in so many. */
  const around = (before: number, after: number, changes: object = {}) => ({
    ...sent(oneOff(at(-before), at(after))),
    ...changes,
  })
  const data = async ({ id, owner }: Team, method: string, path: string, body?: object) =>
    WindowDetail.parse(await owner.data(id, method, `${PATH}${path}`, body))
  const create = (team: Team, body: object) => data(team, 'POST', '', body)
  const monitorOf = async ({ id, owner }: Team, name = 'Shop'): Promise<number> =>
    (await owner.data(id, 'POST', '/monitors', { ...MONITORS.http, name })).id
  const listed = async ({ id }: Team, person: Person): Promise<WindowRow[]> =>
    (await person.data(id, 'GET', PATH)).map((row: unknown) => WindowRow.parse(row))
  const occurrences = async (
    { id, viewer }: Team,
    from = at(-60),
    to = at(1_440),
  ): Promise<OccurrenceRow[]> =>
    (await viewer.data(id, 'GET', `/maintenance-occurrences?from=${from}&to=${to}`)).map((row: unknown) =>
      OccurrenceRow.parse(row),
    )
  const states = async (team: Team) =>
    (await occurrences(team)).map(({ state, ended_by, exists, all_subjects, monitor_count }) =>
      [state, ended_by, exists ? 'exists' : 'deleted', all_subjects ? 'all' : monitor_count].join(' '),
    )

  for (const [kind, body] of [
    ['one-off', sent(oneOff('2030-12-01T10:00:00.000Z', '2030-12-01T11:00:00.000Z'))],
    ['recurring', sent(recurring({ exceptions: ['2027-02-07'] }))],
    ['a switch', sent(switchWindow({ ends_when_passing: true, max_minutes: 5 }))],
  ] as const) {
    it(`that are ${kind} come back as they were sent; a viewer gets no secret`, async () => {
      const team = await people.team()
      const made = await create(team, body)
      assert.deepEqual(made.fields, body)
      assert.deepEqual(await team.viewer.data(team.id, 'GET', `${PATH}/${made.id}`), {
        ...made,
        addresses: null,
      })
      assert.deepEqual(await listed(team, team.viewer), [WindowRow.parse(made)])
      assert.equal(made.addresses !== null, body.kind === 'switch')
      const changed = { ...body, name: 'Renamed' }
      assert.deepEqual((await data(team, 'PATCH', `/${made.id}`, changed)).fields, changed)
    })
  }

  it('are listed by name, with the first of their monitors, what runs and what is next', async () => {
    const team = await people.team()
    const ids = [await monitorOf(team, 'D'), await monitorOf(team, 'b'), await monitorOf(team, 'C')]
    ids.push(await monitorOf(team, 'a'))
    await create(team, { ...sent(recurring({ rule: 'FREQ=DAILY', time_zone: 'UTC' })), name: 'b' })
    await create(team, around(5, 5, { name: 'C', all_subjects: false, monitor_ids: ids }))
    await create(team, { ...sent(switchWindow()), name: 'A' })
    const rows = await listed(team, team.owner)
    assert.deepEqual(
      rows.map(({ name, monitor_count, monitors, current, next }) => [
        name,
        monitor_count,
        monitors.map((monitor) => monitor.name).join(),
        current !== null,
        next !== null,
      ]),
      [
        ['A', 0, '', false, false],
        ['b', 0, '', false, true],
        ['C', 4, 'a,b,C', true, false],
      ],
    )
    assert.equal(rows[1]?.sentence, 'Every day at 02:00 for 2 hours, UTC')
    const inGerman = await team.owner.data(team.id, 'GET', `${PATH}?reader_language=de`)
    assert.equal(inGerman[1]?.sentence, 'Jeden Tag um 02:00 für 2 Stunden, UTC')
    const one = await data(team, 'GET', `/${rows[1]?.id}?reader_language=de`)
    assert.deepEqual([one.sentence, one.preview.sentence], [inGerman[1]?.sentence, inGerman[1]?.sentence])
  })

  it('are changed by owners and admins alone, and no other team sees any', async () => {
    const team = await people.team()
    const other = await people.team()
    const { id } = await create(team, sent(switchWindow()))
    const asked: [string, string, object?][] = [
      ['PATCH', '', sent(switchWindow())],
      ['POST', '/start', {}],
      ['POST', '/prolong', {}],
      ['POST', '/end'],
      ['POST', '/call-off', { starts_at: at(10) }],
      ['POST', '/address'],
      ['DELETE', ''],
    ]
    for (const [method, path, body] of asked) {
      assertProblem(await team.viewer.ask(team.id, method, `${PATH}/${id}${path}`, body), 403)
      assertProblem(await other.owner.ask(other.id, method, `${PATH}/${id}${path}`, body), 404)
    }
    assertProblem(await team.viewer.ask(team.id, 'POST', PATH, sent(switchWindow())), 403)
    assertProblem(await team.viewer.ask(team.id, 'POST', `${PATH}/now`, { monitor_ids: [1] }), 403)
    for (const method of ['GET', 'POST', 'DELETE']) {
      assertProblem(await team.viewer.ask(team.id, method, '/maintenance-calendar'), 403)
    }
    assertProblem(await other.owner.ask(other.id, 'GET', `${PATH}/${id}`), 404)
    assert.deepEqual(await listed(other, other.owner), [])
    for (const [method, path, body] of asked.slice(0, 3)) {
      assert.equal(
        (await team.admin.ask(team.id, method, `${PATH}/${id}${path}`, body)).status,
        200,
        `${method} ${path}`,
      )
    }
  })

  it('take monitors of their own team only, which a refusal names', async () => {
    const team = await people.team()
    const mine = await monitorOf(team)
    const foreign = await monitorOf(await people.team())
    const body = { ...sent(switchWindow()), all_subjects: false, monitor_ids: [mine, foreign, 2_147_483_647] }
    const { id } = await create(team, { ...body, monitor_ids: [mine] })
    const message = `monitor_ids must be IDs of monitors of the team, got ${foreign}, 2147483647`
    for (const [method, path, asked] of [
      ['POST', PATH, body],
      ['POST', `${PATH}/preview`, { window: body, reader_zone: 'UTC' }],
      ['POST', `${PATH}/now`, { monitor_ids: body.monitor_ids }],
      ['PATCH', `${PATH}/${id}`, body],
    ] as const) {
      const refused = await team.owner.ask(team.id, method, path, asked)
      assertInvalid(refused, ['monitor_ids'])
      assert.deepEqual(refused.body.errors.monitor_ids, [message])
    }
    assert.deepEqual((await data(team, 'GET', `/${id}`)).fields.monitor_ids, [mine])
  })

  it('refuse what is wrong, in the preview as when saved, by the names of the fields', async () => {
    const team = await people.team()
    const { id } = await create(team, sent(switchWindow()))
    const wrong: [object, string[]][] = [
      [{}, ['kind']],
      [{ ...sent(switchWindow()), max_minutes: 1_441 }, ['max_minutes']],
      [{ ...sent(switchWindow()), name: ' ' }, ['name']],
      [{ ...sent(switchWindow()), all_subjects: false }, ['monitor_ids']],
      [around(10, -5), ['ends_at']],
      [{ ...sent(recurring()), time_zone: 'Mars/Phobos', name: '' }, ['name', 'time_zone']],
      [sent(recurring({ rule: 'FREQ=DAILY', duration_minutes: 1_441 })), ['duration_minutes']],
    ]
    for (const [body, fields] of wrong) {
      assertInvalid(await team.owner.ask(team.id, 'POST', PATH, body), fields)
      const preview = { window: body, reader_zone: 'UTC' }
      assertInvalid(await team.viewer.ask(team.id, 'POST', `${PATH}/preview`, preview), fields)
    }
    const nowhere = { window: sent(switchWindow()), reader_zone: 'Nowhere' }
    assertInvalid(await team.viewer.ask(team.id, 'POST', `${PATH}/preview`, nowhere), ['reader_zone'])
    assertInvalid(await team.viewer.ask(team.id, 'POST', `${PATH}/preview`, { reader_zone: 'UTC' }), [
      'window',
    ])
    assertInvalid(await team.viewer.ask(team.id, 'GET', `${PATH}/${id}?reader_zone=x`), ['reader_zone'])
    assertInvalid(await team.viewer.ask(team.id, 'GET', `${PATH}?reader_language=x`), ['reader_language'])
    assertInvalid(await team.owner.ask(team.id, 'PATCH', `${PATH}/${id}`, around(0, 5)), ['kind'])
    for (const body of [{ monitor_ids: [] }, { monitor_ids: [0] }, { monitor_ids: 'all' }]) {
      const [field = ''] = body.monitor_ids[0] === 0 ? ['monitor_ids.0'] : ['monitor_ids']
      assertInvalid(await team.owner.ask(team.id, 'POST', `${PATH}/now`, body), [field])
    }
  })

  it('are previewed in words and in both zones, and warned of', async () => {
    const team = await people.team()
    const window = sent(recurring({ rule: 'FREQ=DAILY', duration_minutes: 180 }))
    const preview = await team.viewer.data(team.id, 'POST', `${PATH}/preview`, {
      window,
      reader_zone: 'asia/tokyo',
    })
    assert.equal(preview.sentence, 'Every day at 02:00 for 3 hours, Europe/Berlin')
    const asked = { window, reader_zone: 'UTC', reader_language: 'de' }
    const inGerman = await team.viewer.data(team.id, 'POST', `${PATH}/preview`, asked)
    assert.equal(inGerman.sentence, 'Jeden Tag um 02:00 für 3 Stunden, Europe/Berlin')
    const once = sent(oneOff('2027-03-01T09:00:00Z', '2027-03-01T10:00:00Z'))
    for (const [reader_locale, date] of [
      ['en-US', 'Mon, Mar 1, 2027'],
      ['en-GB', 'Mon, 1 Mar 2027'],
      ['no_tag', 'Mon, 1 Mar 2027'],
    ] as const) {
      const read = { window: once, reader_zone: 'UTC', reader_language: 'en', reader_locale }
      const { sentence } = await team.viewer.data(team.id, 'POST', `${PATH}/preview`, read)
      assert.equal(sentence, `Once, on ${date} at 09:00 for 1 hour, UTC`, reader_locale)
    }
    assert.equal(preview.next.length, 5)
    const [first] = preview.next
    assert.match(first.window_start, /T02:00\+0[12]:00$/)
    assert.match(first.reader_start, /T\d\d:00\+09:00$/)
    assert.equal(new Date(first.window_start).getTime(), new Date(first.starts_at).getTime())
    assert.equal(new Date(first.reader_end).getTime(), new Date(first.ends_at).getTime())
    assert.equal(preview.hides_much, true)
    assert.ok(preview.hidden_share_of_week >= (7 * 3) / 168)
    assert.deepEqual(await listed(team, team.owner), [])
  })

  it('begin for monitors in one request, under a name that pages can show', async () => {
    const team = await people.team()
    const shop = await monitorOf(team)
    const mail = await monitorOf(team, 'Mail')
    const one = await data(team, 'POST', '/now', { monitor_ids: [shop] })
    const two = await data(team, 'POST', '/now', { monitor_ids: [shop, mail], minutes: 5 })
    assert.deepEqual([one.name, two.name], ['Short-notice maintenance', 'Short-notice maintenance'])
    const lengths = [one, two].map(
      ({ current }) => current && (Date.parse(current.ends_at) - Date.parse(current.starts_at)) / MINUTE_MS,
    )
    assert.deepEqual(lengths, [60, 5])
    const daily = await create(team, sent(recurring()))
    const of = async (id: number) => team.viewer.data(team.id, 'GET', `/monitors/${id}/maintenance`)
    const now = await of(shop)
    assert.deepEqual(
      now.current.map((span: { window_id: number }) => span.window_id),
      [one.id, two.id],
    )
    assert.equal(now.next.window_id, daily.id)
    assert.deepEqual((await of(mail)).current.length, 1)
  })

  it('are ended, prolonged and called off by a person, which the list of what happened says', async () => {
    const team = await people.team()
    const { id } = await create(team, around(5, 10))
    const prolonged = await data(team, 'POST', `/${id}/prolong`, { minutes: 30 })
    const end = Date.parse(prolonged.current?.ends_at ?? '')
    assert.equal(end, Date.parse(prolonged.fields.ends_at as string) + 30 * MINUTE_MS)
    assert.equal((await data(team, 'POST', `/${id}/end`)).current, null)
    assertInvalid(await team.owner.ask(team.id, 'POST', `${PATH}/${id}/end`), ['window'])
    assertInvalid(await team.owner.ask(team.id, 'POST', `${PATH}/${id}/prolong`, {}), ['window'])
    assert.deepEqual(await states(team), ['over person exists all'])
    const daily = await create(team, sent(recurring({ rule: 'FREQ=DAILY', duration_minutes: 5 })))
    const starts_at = daily.next?.starts_at ?? ''
    const next = await data(team, 'POST', `/${daily.id}/call-off`, { starts_at })
    assert.equal(next.next?.starts_at, daily.preview.next[1]?.starts_at)
    assertInvalid(await team.owner.ask(team.id, 'POST', `${PATH}/${daily.id}/call-off`, { starts_at }), [
      'starts_at',
    ])
    assertInvalid(await team.owner.ask(team.id, 'POST', `${PATH}/${id}/start`, {}), ['window'])
    assertInvalid(await team.owner.ask(team.id, 'POST', `${PATH}/${id}/address`), ['window'])
  })

  it('of the kind of a switch are turned on for a time, again, and off', async () => {
    const team = await people.team()
    const { id, addresses } = await create(team, sent(switchWindow({ max_minutes: 90 })))
    const minutesOf = ({ current }: WindowDetail) =>
      current && Math.round((Date.parse(current.ends_at) - Date.parse(current.starts_at)) / MINUTE_MS)
    assert.equal(minutesOf(await data(team, 'POST', `/${id}/start`, {})), 90)
    assert.equal(minutesOf(await data(team, 'POST', `/${id}/start`, { minutes: 5 })), 5)
    for (const minutes of [0, 91, '5']) {
      assertInvalid(await team.owner.ask(team.id, 'POST', `${PATH}/${id}/start`, { minutes }), ['minutes'])
    }
    assert.equal((await data(team, 'POST', `/${id}/end`)).current, null)
    const rotated = await data(team, 'POST', `/${id}/address`)
    assert.notEqual(rotated.addresses?.start, addresses?.start)
  })

  it('change while they run: what happened stays as it was', async () => {
    const team = await people.team()
    const shop = await monitorOf(team)
    const made = await create(team, around(5, 10))
    assert.deepEqual(await states(team), ['running  exists all'])
    const next = { ...made.fields, all_subjects: false, monitor_ids: [shop] }
    await data(team, 'PATCH', `/${made.id}`, { ...made.fields, name: 'Renamed' })
    assert.deepEqual(await states(team), ['running  exists all'])
    await data(team, 'PATCH', `/${made.id}`, next)
    assert.deepEqual(await states(team), ['over change exists all', 'running  exists 1'])
    await data(team, 'POST', `/${made.id}/end`)
    await data(team, 'PATCH', `/${made.id}`, { ...next, all_subjects: true, monitor_ids: [] })
    assert.deepEqual(await states(team), ['over change exists all', 'over person exists 1'])
    assert.equal((await team.owner.ask(team.id, 'DELETE', `${PATH}/${made.id}`)).status, 204)
    assert.deepEqual(await states(team), ['over change deleted all', 'over person deleted 1'])
    assertProblem(await team.owner.ask(team.id, 'GET', `${PATH}/${made.id}`), 404)
  })

  it('keep a day called off through a change of subjects, for the new ones', async () => {
    const team = await people.team()
    const [shop, mail] = [await monitorOf(team), await monitorOf(team, 'Mail')]
    const daily = sent(recurring({ rule: 'FREQ=DAILY', duration_minutes: 5 }))
    const made = await create(team, { ...daily, all_subjects: false, monitor_ids: [shop] })
    await data(team, 'POST', `/${made.id}/call-off`, { starts_at: made.next?.starts_at })
    const changed = await data(team, 'PATCH', `/${made.id}`, { ...made.fields, monitor_ids: [mail] })
    assert.equal(changed.next?.starts_at, made.preview.next[1]?.starts_at)
    const kept = await listKept(service.services.db.query, team.id, new Date(), [made.id])
    assert.deepEqual(
      kept.map(({ monitor_ids }) => monitor_ids),
      [[mail]],
    )
  })

  it('that are over still change their names', async () => {
    const team = await people.team()
    const { vault, db } = service.services
    const body = oneOff(at(-60), at(-30))
    const terms = { since: new Date(at(-90)), token: null }
    const id = await insertWindow(db.query, vault, team.id, body, terms)
    const renamed = { ...sent(body), name: 'Last week' }
    assert.equal((await data(team, 'PATCH', `/${id}`, renamed)).name, 'Last week')
    const moved = { ...renamed, starts_at: at(-61) }
    assertInvalid(await team.owner.ask(team.id, 'PATCH', `${PATH}/${id}`, moved), ['ends_at'])
    assert.deepEqual(await states(team), ['over  exists all'])
  })

  it('keep a deleted monitor, which can be restored, through a change', async () => {
    const team = await people.team()
    const [shop, mail] = [await monitorOf(team), await monitorOf(team, 'Mail')]
    const body = { ...sent(switchWindow()), all_subjects: false, monitor_ids: [mail, shop] }
    const { id } = await create(team, body)
    await team.owner.ask(team.id, 'DELETE', `/monitors/${mail}`)
    const without = await data(team, 'GET', `/${id}`)
    assert.deepEqual(without.fields.monitor_ids, [shop])
    await data(team, 'PATCH', `/${id}`, { ...without.fields, name: 'Renamed' })
    await team.owner.ask(team.id, 'POST', `/deleted-monitors/${mail}/restore`)
    assert.deepEqual((await data(team, 'GET', `/${id}`)).fields.monitor_ids, [mail, shop])
  })

  it('changed by two at once are changed one after the other', async () => {
    const team = await people.team()
    const shop = await monitorOf(team)
    const { id, fields } = await create(team, around(5, 10))
    await Promise.all([
      data(team, 'PATCH', `/${id}`, { ...fields, all_subjects: false, monitor_ids: [shop] }),
      data(team, 'POST', `/${id}/prolong`, { minutes: 30 }),
      data(team, 'POST', `/${id}/prolong`, { minutes: 30 }),
    ])
    const { current } = await data(team, 'GET', `/${id}`)
    assert.equal(Date.parse(current?.ends_at ?? ''), Date.parse(fields.ends_at as string) + 60 * MINUTE_MS)
    const answers = await Promise.all([
      team.owner.ask(team.id, 'DELETE', `${PATH}/${id}`),
      team.owner.ask(team.id, 'DELETE', `${PATH}/${id}`),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404])
  })

  it('have no API, which an answer says to whoever looks for one', async () => {
    const team = await service.createTeam()
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['DELETE', `${PATH}/1`],
      ['GET', '/maintenance'],
    ] as const) {
      const refused = await service.call(team.owner, method, path)
      assertProblem(refused, 404)
      assert.match(refused.body.detail, /have no API.*\/maintenance$/)
    }
  })

  it('are bounded for each team, also by two at once', async () => {
    const team = await people.team()
    const { db } = service.services
    const { all_subjects, name, note } = switchWindow()
    const row = { team_id: team.id, kind: 'switch' as const, name, note, all_subjects, since: new Date() }
    const full = Array.from({ length: MAX_WINDOWS - 1 }, () => ({
      ...row,
      max_minutes: 60,
      ends_when_passing: false,
    }))
    const [{ id = 0 } = {}] = await addRows(db, 'maintenance_windows', full)
    const answers = await Promise.all(
      [1, 2].map(() => team.owner.ask(team.id, 'POST', PATH, sent(switchWindow()))),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422])
    const refused = answers.find(({ status }) => status === 422)
    assert.ok(refused)
    assertInvalid(refused, ['name'])

    const before = new Date(at(-60 * 1_440))
    const changes = { kind: 'one_off', starts_at: before, ends_at: before, max_minutes: null } as const
    await changeRows(db, 'maintenance_windows', { id }, changes)
    await create(team, sent(switchWindow()))
    assertProblem(await team.owner.ask(team.id, 'GET', `${PATH}/${id}`), 404)
    assertInvalid(await team.owner.ask(team.id, 'POST', PATH, sent(switchWindow())), ['name'])
  })

  it('that are asked for by time are bounded', async () => {
    const team = await people.team()
    for (const [from, to, field] of [
      [at(10), at(5), 'to'],
      [at(0), at(101 * 1_440), 'to'],
      ['2020-01-01T00:00:00.000000Z', '2020-01-02T00:00:00.000000Z', 'from'],
    ]) {
      const path = `/maintenance-occurrences?from=${from}&to=${to}`
      assertInvalid(await team.viewer.ask(team.id, 'GET', path), [field as string])
    }
    assertInvalid(await team.viewer.ask(team.id, 'GET', '/maintenance-occurrences'), ['from', 'to'])
  })

  it('leave a line in the audit log for each change, and none for a preview', async () => {
    const team = await people.team()
    const { id } = await create(team, sent(switchWindow()))
    await team.viewer.data(team.id, 'POST', `${PATH}/preview`, {
      window: sent(switchWindow()),
      reader_zone: 'UTC',
    })
    await data(team, 'POST', `/${id}/start`, { minutes: 5 })
    await team.owner.ask(team.id, 'DELETE', `${PATH}/${id}`)
    const entries = await team.owner.data(team.id, 'GET', '/audit-log')
    assert.deepEqual(
      entries
        .filter(({ action }: { action: string }) => action.includes('Maintenance'))
        .map((entry: { action: string; subject: string; fields: string[] }) => [
          entry.action,
          entry.subject,
          entry.fields.join(),
        ]),
      [
        ['deleteMaintenanceWindow', 'Router upgrade', ''],
        ['startMaintenance', 'Router upgrade', 'minutes'],
        [
          'createMaintenanceWindow',
          'Router upgrade',
          'kind,name,note,shows_on_pages,public_name,all_subjects,monitor_ids,server_ids,site_ids,tags,max_minutes,ends_when_passing',
        ],
      ],
    )
  })

  it('have a calendar whose address is made, replaced and taken away', async () => {
    const team = await people.team()
    const url = async (method: string) =>
      (await team.admin.data(team.id, method, '/maintenance-calendar'))?.url
    assert.equal(await url('GET'), null)
    const first = await url('POST')
    assert.match(first, /\/calendars\/[0-9a-f-]{36}\.ics$/)
    assert.equal(await url('GET'), first)
    assert.notEqual(await url('POST'), first)
    await team.admin.ask(team.id, 'DELETE', '/maintenance-calendar')
    assert.equal(await url('GET'), null)
  })
})
