// npm test leaves this out: it writes, changes and reads many schedules (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import ICAL from 'ical.js'
import * as nodeIcal from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'
import { MAX_OVERRIDES, MAX_SCHEDULES, type Schedule } from '../../../../../src/core/on-call/schedule.ts'
import {
  SCHEDULE_ROWS,
  ScheduleDetail,
  SHOWN_SHIFTS,
} from '../../../../../src/core/on-call/shown-schedule.ts'
import { insertSchedule } from '../../../../../src/store/on-call/schedules.ts'
import { layer } from '../../../../support/on-call/schedules.ts'
import { addRows } from '../../../../support/records/rows.ts'
import { assertInvalid, assertProblem } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { ask } from '../../../../support/services/http.ts'
import { type People, peopleOf, type Team } from '../../../../support/services/people.ts'
import { clientAddress } from '../../../../support/sign-in/cookie-browser.ts'

const PATH = '/schedules'
const HOUR_MS = 3_600_000
const WEBHOOK = { type: 'webhook', config: { url: 'https://hooks.example.com/on-call' } }

let service: AskedService
let people: People

before(async () => {
  service = await apiService()
  people = peopleOf(service)
})

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

type OnCallTeam = Team & { mail: number; phone: number }

async function newTeam(): Promise<OnCallTeam> {
  const team = await people.team()
  const contact = async (name: string) =>
    (await team.owner.data(team.id, 'POST', '/notification-contacts', { ...WEBHOOK, name })).id
  return { ...team, mail: await contact('Mail'), phone: await contact('Phone') }
}

/** Two people, a day each, since the beginning of the year before. */
function night({ owner, mail, phone }: OnCallTeam, changes: Partial<Schedule> = {}): Schedule {
  return {
    name: 'Night',
    time_zone: 'Europe/Berlin',
    participants: [
      { key: 1, name: 'Ada', user_id: owner.id, contact_ids: [phone, mail] },
      { key: 2, name: 'Grace', user_id: null, contact_ids: [mail] },
    ],
    layers: [layer({ unit: 'day', starts_on: '2026-01-01' })],
    ...changes,
  }
}

const create = async (team: OnCallTeam, changes: Partial<Schedule> = {}) =>
  ScheduleDetail.parse(await team.admin.data(team.id, 'POST', PATH, night(team, changes)))
const read = async (team: Team, id: number) =>
  ScheduleDetail.parse(await team.viewer.data(team.id, 'GET', `${PATH}/${id}`))

describe('on-call schedules', () => {
  it('come back as they were sent, and say who is on call until when, and who comes next', async () => {
    const team = await newTeam()
    const made = await create(team)
    const { name, time_zone, participants, layers } = made
    assert.deepEqual({ name, time_zone, participants, layers }, night(team))
    assert.deepEqual(await read(team, made.id), made)

    const [row, ...others] = SCHEDULE_ROWS.parse(await team.viewer.data(team.id, 'GET', PATH))
    assert.deepEqual(others, [])
    assert.deepEqual(row?.on_call, made.on_call)
    const { participant, until, next } = made.on_call
    assert.deepEqual([participant?.name, next?.participant.name].sort(), ['Ada', 'Grace'])
    assert.equal(next?.starts_at, until)
    assert.equal(participant?.contact_count, participant?.name === 'Ada' ? 2 : 1)

    const changed = night(team, { name: 'Nights', time_zone: 'UTC' })
    await team.admin.data(team.id, 'PATCH', `${PATH}/${made.id}`, changed)
    assert.equal((await read(team, made.id)).name, 'Nights')
    assert.equal((await team.admin.ask(team.id, 'DELETE', `${PATH}/${made.id}`)).status, 204)
    assertProblem(await team.viewer.ask(team.id, 'GET', `${PATH}/${made.id}`), 404)
  })

  it('are refused with contacts and accounts of others, and with what does not fit together', async () => {
    const [team, other] = [await newTeam(), await newTeam()]
    const [ada, grace] = night(team).participants
    assert.ok(ada && grace)
    const refused = async (body: object, fields: string[]) => {
      for (const [method, path] of [
        ['POST', PATH],
        ['PATCH', `${PATH}/${id}`],
      ] as const)
        assertInvalid(await team.admin.ask(team.id, method, path, body), fields)
    }
    const { id } = await create(team)
    const strangers = [
      { ...ada, contact_ids: [team.mail, other.mail] },
      { ...grace, user_id: other.owner.id },
    ]
    await refused(night(team, { participants: strangers }), [
      'participants.0.contact_ids.1',
      'participants.1.user_id',
    ])
    await refused(night(team, { layers: [layer({ rotation: [1, 3] })] }), ['layers.0.rotation'])
    const preview = {
      ...night(team),
      from: inHours(0),
      until: inHours(-1),
      layers: [layer({ rotation: [4] })],
    }
    assertInvalid(await team.viewer.ask(team.id, 'POST', `${PATH}/preview`, preview), [
      'layers.0.rotation',
      'until',
    ])
  })

  it('are the team’s own, and change by admins and owners alone', async () => {
    const [team, other] = [await newTeam(), await newTeam()]
    const { id } = await create(team)
    const override = { participant: 1, starts_at: inHours(1), ends_at: inHours(2) }
    const changed = await team.admin.data(team.id, 'POST', `${PATH}/${id}/overrides`, override)
    const [{ id: overrideId }] = changed.overrides
    for (const [method, path, body] of [
      ['PATCH', `${PATH}/${id}`, night(team)],
      ['DELETE', `${PATH}/${id}`, undefined],
      ['POST', `${PATH}/${id}/overrides`, override],
      ['DELETE', `/schedule-overrides/${overrideId}`, undefined],
      ['GET', `${PATH}/${id}/calendar`, undefined],
      ['POST', `${PATH}/${id}/calendar`, undefined],
      ['DELETE', `${PATH}/${id}/calendar`, undefined],
    ] as const) {
      assertProblem(await team.viewer.ask(team.id, method, path, body), 403)
      assertProblem(await other.owner.ask(other.id, method, path, body), 404)
    }
    const range = `from=${inHours(0)}&until=${inHours(1)}`
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/shifts?${range}`])
      assertProblem(await other.owner.ask(other.id, 'GET', path), 404)
    assert.equal((await read(team, id)).overrides.length, 1)
  })

  it('show participants whose contacts were deleted, and drop the accounts of members who left', async () => {
    const team = await newTeam()
    const member = await people.member(team.id, 'viewer')
    const participants = [
      { key: 1, name: 'Ada', user_id: member.id, contact_ids: [team.phone] },
      { key: 2, name: 'Grace', user_id: null, contact_ids: [team.mail] },
    ]
    const { id } = await create(team, { participants })
    await team.owner.ask(team.id, 'DELETE', `/notification-contacts/${team.phone}`)
    await team.owner.ask(team.id, 'DELETE', `/members/${member.id}`)
    assert.deepEqual((await read(team, id)).participants, [
      { key: 1, name: 'Ada', user_id: null, contact_ids: [] },
      participants[1],
    ])
  })

  it('stay while an escalation policy asks them, whose name the refusal says', async () => {
    const team = await newTeam()
    const { id } = await create(team)
    const other = await create(team, { name: 'Spare' })
    const steps = [{ after_minutes: 5, schedule_id: id }]
    const policy = await team.admin.data(team.id, 'POST', '/escalation-policies', {
      name: 'Production',
      steps,
    })
    const refused = await team.admin.ask(team.id, 'DELETE', `${PATH}/${id}`)
    assertInvalid(refused, ['schedule'])
    assert.match(refused.body.errors.schedule[0], /used by escalation policies: Production\./)
    assert.equal((await team.admin.ask(team.id, 'DELETE', `${PATH}/${other.id}`)).status, 204)
    await team.admin.ask(team.id, 'DELETE', `/escalation-policies/${policy.id}`)
    assert.equal((await team.admin.ask(team.id, 'DELETE', `${PATH}/${id}`)).status, 204)
  })

  it('are at most as many as fit', async () => {
    const team = await newTeam()
    const { db } = service.services
    for (let count = 0; count < MAX_SCHEDULES; count++) await insertSchedule(db.query, team.id, night(team))
    assertInvalid(await team.admin.ask(team.id, 'POST', PATH, night(team)), ['name'])
  })

  it('leave lines in the audit log that name them', async () => {
    const team = await newTeam()
    const { id } = await create(team)
    const override = { participant: 2, starts_at: inHours(1), ends_at: inHours(2) }
    const changed = await team.admin.data(team.id, 'POST', `${PATH}/${id}/overrides`, override)
    await team.admin.ask(team.id, 'DELETE', `/schedule-overrides/${changed.overrides[0].id}`)
    await team.admin.data(team.id, 'POST', `${PATH}/${id}/calendar`)
    await team.admin.ask(team.id, 'DELETE', `${PATH}/${id}`)
    const entries = await team.owner.data(team.id, 'GET', '/audit-log')
    assert.deepEqual(
      entries.slice(0, 5).map(({ action, subject }: Record<string, unknown>) => [action, subject]),
      [
        ['deleteSchedule', 'Night'],
        ['createScheduleCalendar', 'Night'],
        ['removeScheduleOverride', 'Night'],
        ['addScheduleOverride', 'Night'],
        ['createSchedule', 'Night'],
      ],
    )
  })
})

describe('shifts', () => {
  it('of a range come whole, with the gaps between; a schedule that is being written has them, too', async () => {
    const team = await newTeam()
    const office = { days: ['MO', 'TU', 'WE', 'TH', 'FR'] as const, from: '09:00', until: '17:00' }
    const hours = { ...office, days: [...office.days] }
    const { id } = await create(team, { layers: [layer({ rotation: [1], hours })] })
    const [from, until] = ['2027-03-26T00:00:00Z', '2027-03-30T00:00:00Z']
    const data = await team.viewer.data(team.id, 'GET', `${PATH}/${id}/shifts?from=${from}&until=${until}`)
    const shown = SHOWN_SHIFTS.parse(data).map(
      ({ participant, starts_at }) => `${starts_at.slice(0, 16)} ${participant?.name ?? 'gap'}`,
    )
    assert.deepEqual(shown, [
      '2027-03-25T16:00 gap',
      '2027-03-26T08:00 Ada',
      '2027-03-26T16:00 gap',
      '2027-03-29T07:00 Ada',
      '2027-03-29T15:00 gap',
    ])
    const written = { ...night(team, { layers: [layer({ rotation: [1], hours })] }), from, until }
    assert.deepEqual(await team.viewer.data(team.id, 'POST', `${PATH}/preview`, written), data)
    const long = `from=${from}&until=2027-08-01T00:00:00Z`
    assertInvalid(await team.viewer.ask(team.id, 'GET', `${PATH}/${id}/shifts?${long}`), ['until'])
  })
})

describe('overrides', () => {
  it('put somebody on call at once, and end with their removal', async () => {
    const team = await newTeam()
    const { id, on_call } = await create(team)
    const other = on_call.participant?.key === 1 ? 2 : 1
    const override = { participant: other, starts_at: inHours(-1), ends_at: inHours(0.5) }
    const changed = ScheduleDetail.parse(
      await team.admin.data(team.id, 'POST', `${PATH}/${id}/overrides`, override),
    )
    assert.equal(changed.on_call.participant?.key, other)
    const [made] = changed.overrides
    assert.deepEqual(
      [made?.participant, made && Date.parse(made.starts_at), made && Date.parse(made.ends_at)],
      [other, Date.parse(override.starts_at), Date.parse(override.ends_at)],
    )
    await team.admin.ask(team.id, 'DELETE', `/schedule-overrides/${made?.id}`)
    assert.deepEqual((await read(team, id)).overrides, [])
  })

  it('are refused for strangers, for no time, and once there are too many; those of long ago make room', async () => {
    const team = await newTeam()
    const { id } = await create(team)
    const add = (body: object) => team.admin.ask(team.id, 'POST', `${PATH}/${id}/overrides`, body)
    const hour = { participant: 1, starts_at: inHours(1), ends_at: inHours(2) }
    assertInvalid(await add({ ...hour, participant: 3 }), ['participant'])
    assertInvalid(await add({ ...hour, ends_at: hour.starts_at }), ['ends_at'])
    const rowAt = (starts_at: Date) => ({
      ...{ schedule_id: id, team_id: team.id, participant: 1, starts_at },
      ends_at: new Date(starts_at.getTime() + HOUR_MS),
    })
    const { db } = service.services
    const later = Array.from({ length: MAX_OVERRIDES - 1 }, (_, i) => rowAt(new Date(inHours(i + 10))))
    await addRows(db, 'schedule_overrides', [...later, rowAt(new Date('2020-01-01'))])
    assert.equal((await add(hour)).status, 201)
    assertInvalid(await add(hour), ['participant'])
  })
})

describe('the calendar of a schedule', () => {
  const send = (url: string, headers: Record<string, string> = {}) =>
    ask(`${service.url}${new URL(url).pathname}`, {
      headers: { 'x-forwarded-for': clientAddress(), ...headers },
    })

  it('opens in three parsers, which read the same shifts', async () => {
    const team = await newTeam()
    const { id } = await create(team, { name: 'Nacht; "Köln", lang' })
    const { url } = await team.admin.data(team.id, 'POST', `${PATH}/${id}/calendar`)
    assert.match(url, /\/calendars\/[0-9a-f-]{36}\.ics$/)
    const { status, headers, text } = await send(url)
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/calendar; charset=utf-8'])
    const byIcalJs = new ICAL.Component(ICAL.parse(text))
      .getAllSubcomponents('vevent')
      .map((component) => new ICAL.Event(component))
      .map(({ uid, summary, startDate }) => `${startDate.toJSDate().toISOString()} ${uid} ${summary}`)
    const byNodeIcal = Object.values(nodeIcal.sync.parseICS(text)).flatMap((event) =>
      event?.type === 'VEVENT' ? `${event.start.toISOString()} ${event.uid} ${event.summary}` : [],
    )
    const byTsIcs = (convertIcsCalendar(undefined, text).events ?? []).map(
      ({ uid, summary, start }) => `${start.date.toISOString()} ${uid} ${summary}`,
    )
    assert.deepEqual(byNodeIcal, byIcalJs)
    assert.deepEqual(byTsIcs, byIcalJs)
    assert.ok(byIcalJs.length >= 90, String(byIcalJs.length))
    assert.match(byIcalJs[0] ?? '', /(Ada|Grace): Nacht; "Köln", lang$/)
  })

  it('has an address that is made, replaced and taken away; it is sent again only once it changed', async () => {
    const team = await newTeam()
    const { id } = await create(team)
    const address = async (method: string): Promise<string> =>
      (await team.admin.data(team.id, method, `${PATH}/${id}/calendar`))?.url
    assert.equal(await address('GET'), null)
    const first = await address('POST')
    assert.equal(await address('GET'), first)
    const etag = (await send(first)).headers.get('etag') ?? ''
    assert.equal((await send(first, { 'if-none-match': etag })).status, 304)
    await team.admin.data(team.id, 'PATCH', `${PATH}/${id}`, night(team, { name: 'Nights' }))
    assert.equal((await send(first, { 'if-none-match': etag })).status, 200)
    const second = await address('POST')
    assert.equal((await send(first)).status, 404)
    assert.equal((await send(second)).status, 200)
    await team.admin.ask(team.id, 'DELETE', `${PATH}/${id}/calendar`)
    assert.equal((await send(second)).status, 404)
    assert.equal(await address('GET'), null)
    const third = await address('POST')
    await team.admin.ask(team.id, 'DELETE', `${PATH}/${id}`)
    assert.equal((await send(third)).status, 404)
    assert.ok(!service.output().includes(third.slice(-40, -4)))
  })
})
