import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { EscalationPolicy } from '../../../src/core/on-call/policy.ts'
import { Drill, DryRun } from '../../../src/core/on-call/shown-escalation.ts'
import { assertInvalid, assertProblem } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'

const PATH = '/escalation-policies'
let people: People

before(async () => {
  people = peopleOf(await apiService())
})

type World = Team & { ada: number; bo: number; monitor: number }

async function newTeam(): Promise<World> {
  const team = await people.team()
  const make = (path: string, body: object) => team.owner.data(team.id, 'POST', path, body)
  const config = { url: 'https://hooks.example.com/x' }
  const shop = { name: 'Shop', type: 'tcp', url: 'tcp://localhost', port: 1, check_interval_minutes: 60 }
  const contact = async (name: string) =>
    (await make('/notification-contacts', { name, type: 'webhook', config })).id
  return {
    ...team,
    ada: await contact('Ada'),
    bo: await contact('Bo'),
    monitor: (await make('/monitors', { ...shop, is_active: false })).id,
  }
}

const policy = ({ ada, bo }: World, changes = {}) => ({
  name: 'Primary',
  steps: [
    { after_minutes: 5, contact_ids: [ada], schedule_id: null },
    { after_minutes: 15, contact_ids: [ada, bo], schedule_id: null },
  ],
  repeats: 1,
  repeat_every_minutes: 30,
  tags: [],
  ...changes,
})
const create = async (world: World, changes = {}) =>
  EscalationPolicy.parse(await world.admin.data(world.id, 'POST', PATH, policy(world, changes)))

describe('escalation policies', () => {
  it('come back as they were sent, are changed, attached and deleted, by owners and admins', async () => {
    const world = await newTeam()
    const { id, owner, viewer, monitor } = world
    assertProblem(await viewer.ask(id, 'POST', PATH, policy(world)), 403)
    const made = await create(world)
    const { name, steps, repeats, repeat_every_minutes, tags } = made
    assert.deepEqual({ name, steps, repeats, repeat_every_minutes, tags }, policy(world))
    const chosen = `/monitors/${monitor}/escalation-policy`
    assert.deepEqual(await viewer.data(id, 'GET', chosen), { policy_id: null, applies: null })
    const applies = { id: made.id, name: 'Primary' }
    assert.deepEqual(await owner.data(id, 'PUT', chosen, { policy_id: made.id }), {
      policy_id: made.id,
      applies,
    })
    const renamed = await owner.data(id, 'PATCH', `${PATH}/${made.id}`, { name: 'Nights' })
    assert.deepEqual(renamed, { ...made, name: 'Nights', monitors_count: 1 })
    assert.deepEqual(await viewer.data(id, 'GET', PATH), [renamed])
    const shown = await owner.data(id, 'GET', `/monitors/${monitor}`)
    assert.ok(!Object.keys(shown).some((key) => key.includes('policy')), 'no part of the public API')
    assert.equal((await owner.ask(id, 'DELETE', `${PATH}/${made.id}`)).status, 204)
    assert.deepEqual(await viewer.data(id, 'GET', chosen), { policy_id: null, applies: null })
  })

  it('apply by tags to what has none of its own, the oldest first', async () => {
    const world = await newTeam()
    const { id, owner, monitor } = world
    const [keyed, exact] = [
      await create(world, { tags: ['env'] }),
      await create(world, { tags: ['env:prod', 'web'] }),
    ]
    const chosen = `/monitors/${monitor}/escalation-policy`
    const appliedId = async () => (await owner.data(id, 'GET', chosen)).applies?.id ?? null
    assert.equal(await appliedId(), null)
    await owner.data(id, 'PUT', `/monitors/${monitor}/tags`, { tags: ['env:prod', 'web'] })
    assert.equal(await appliedId(), keyed.id)
    await owner.data(id, 'PATCH', `${PATH}/${keyed.id}`, { tags: ['env:test'] })
    assert.equal(await appliedId(), exact.id)
    await owner.data(id, 'PUT', chosen, { policy_id: keyed.id })
    assert.equal(await appliedId(), keyed.id)
    await owner.data(id, 'PUT', chosen, { policy_id: null })
    assert.equal(await appliedId(), exact.id)
  })

  it('are refused with contacts, schedules and policies that are not of the team, or that want no alerts', async () => {
    const [world, other] = [await newTeam(), await newTeam()]
    const { id, owner, bo, monitor } = world
    const withStep = (step: object) => policy(world, { steps: [{ after_minutes: 1, ...step }] })
    const tables: [step: object, field: string][] = [
      [{ contact_ids: [other.ada] }, 'steps.0.contact_ids.0'],
      [{ contact_ids: [bo, 2_000_000_000] }, 'steps.0.contact_ids.1'],
      [{ schedule_id: 1 }, 'steps.0.schedule_id'],
      [{}, 'steps.0.contact_ids'],
    ]
    for (const [step, field] of tables)
      assertInvalid(await owner.ask(id, 'POST', PATH, withStep(step)), [field])
    await owner.data(id, 'PATCH', `/notification-contacts/${bo}`, { notify_on_down: false })
    assertInvalid(await owner.ask(id, 'POST', PATH, withStep({ contact_ids: [bo] })), [
      'steps.0.contact_ids.0',
    ])
    const theirs = await create(other)
    assertProblem(await owner.ask(id, 'GET', `${PATH}/${theirs.id}`), 404)
    const body = { policy_id: theirs.id }
    assertInvalid(await owner.ask(id, 'PUT', `/monitors/${monitor}/escalation-policy`, body), ['policy_id'])
    const drill = await other.owner.data(other.id, 'POST', `${PATH}/${theirs.id}/drills`)
    assertProblem(await owner.ask(id, 'GET', `/drills/${drill.id}`), 404)
    assertProblem(await owner.ask(id, 'POST', `/drills/${drill.id}/acknowledgement`, {}), 404)
  })

  it('say in a dry run what would happen, also before they are saved', async () => {
    const world = await newTeam()
    const { id, viewer, monitor, owner } = world
    const contacts = { notification_contact_ids: [world.bo] }
    await owner.data(id, 'PATCH', `/monitors/${monitor}`, contacts)
    await owner.data(id, 'PATCH', '/on-call-settings', { reminder_minutes: 40 })
    const question = { kind: 'monitor', id: monitor, at: '2027-01-03T03:00:00Z' }
    const { name: _, tags: __, ...chain } = policy(world, { repeats: 0 })
    const run = DryRun.parse(
      await viewer.data(id, 'POST', '/escalation-dry-runs', { ...question, policy: chain }),
    )
    assert.equal(run.subject, 'Shop')
    assert.deepEqual(
      run.events
        .slice(0, 5)
        .map(({ kind, at, contacts }) => `${at.slice(11, 16)} ${kind} ${contacts.map(({ name }) => name)}`),
      ['03:00 alert Bo', '03:05 step Ada', '03:15 step Ada,Bo', '03:40 reminder Bo', '04:20 reminder Bo'],
    )
    const night = { days: ['SU'], from: '00:00', until: '04:30' }
    const quiet_hours = { time_zone: 'Europe/Berlin', hours: night, action: 'hold' }
    await owner.data(id, 'PUT', `/notification-contacts/${world.bo}/quiet-hours`, { quiet_hours })
    const quiet = DryRun.parse(
      await viewer.data(id, 'POST', '/escalation-dry-runs', { ...question, policy: chain }),
    )
    assert.deepEqual(
      quiet.events
        .slice(0, 4)
        .map(({ contacts }) => contacts.map((one) => one.quiet?.until.slice(11, 16) ?? 'at once')),
      [['03:30'], ['at once'], ['at once', '03:30'], ['at once']],
    )
    const faulty = { ...question, policy: { ...chain, steps: [{ after_minutes: 1 }] } }
    assertInvalid(await viewer.ask(id, 'POST', '/escalation-dry-runs', faulty), [
      'policy.steps.0.contact_ids',
    ])
    assertInvalid(await viewer.ask(id, 'POST', '/escalation-dry-runs', { ...question, id: 1_999_999 }), [
      'monitor_ids',
    ])
    assertInvalid(await owner.ask(id, 'PATCH', '/on-call-settings', { reminder_minutes: 4 }), [
      'reminder_minutes',
    ])
  })

  it('have settings beside them that change one by one, for reminders and for what flaps', async () => {
    const { id, owner, viewer } = await newTeam()
    const path = '/on-call-settings'
    assert.deepEqual(await viewer.data(id, 'GET', path), { reminder_minutes: null, flapping: null })
    const flapping = { changes: 5, minutes: 30 }
    assert.deepEqual(await owner.data(id, 'PATCH', path, { flapping }), { reminder_minutes: null, flapping })
    assert.deepEqual(await owner.data(id, 'PATCH', path, { reminder_minutes: 30 }), {
      ...{ reminder_minutes: 30, flapping },
    })
    assertProblem(await viewer.ask(id, 'PATCH', path, { flapping: null }), 403)
    for (const [wrong, field] of [
      [{ changes: 1, minutes: 30 }, 'flapping.changes'],
      [{ changes: 51, minutes: 30 }, 'flapping.changes'],
      [{ changes: 5, minutes: 0 }, 'flapping.minutes'],
      [{ changes: 5, minutes: 1_441 }, 'flapping.minutes'],
      [{ changes: 5 }, 'flapping.minutes'],
    ] as const)
      assertInvalid(await owner.ask(id, 'PATCH', path, { flapping: wrong }), [field])
    const off = { reminder_minutes: null, flapping: null }
    assert.deepEqual(await owner.data(id, 'PATCH', path, off), off)
  })

  it('are tried by a drill, of which the last counts', async () => {
    const world = await newTeam()
    const { id, owner, viewer } = world
    const made = await create(world)
    assertProblem(await viewer.ask(id, 'POST', `${PATH}/${made.id}/drills`), 403)
    const begin = async () => Drill.parse(await owner.data(id, 'POST', `${PATH}/${made.id}/drills`))
    const [first, second] = [await begin(), await begin()]
    assert.deepEqual(
      second.steps.map(({ number, is_done, alerts }) => [number, is_done, alerts]),
      [
        [1, false, []],
        [2, false, []],
      ],
    )
    const [one, two] = second.steps.map(({ at }) => Date.parse(at))
    assert.equal((two ?? 0) - (one ?? 0), 10_000)
    assert.equal((await owner.ask(id, 'POST', `/drills/${first.id}/acknowledgement`, {})).status, 409)
    await owner.data(id, 'POST', `/drills/${second.id}/acknowledgement`, {})
    const shown = Drill.parse(await viewer.data(id, 'GET', `/drills/${second.id}`))
    assert.deepEqual([shown.acknowledgement?.by, shown.steps], [owner.name, []])
  })
})
