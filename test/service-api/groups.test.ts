import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteScope } from '../support/scope.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService, TestTeam } from '../support/services/asked-service.ts'
import { type Commander, commander } from '../support/services/remote-command.ts'

describe('the members of a group', () => {
  const scope = suiteScope()
  let service: AskedService
  let team: TestTeam
  let person: Commander

  before(async () => {
    service = await apiService()
    team = await service.createTeam()
    person = commander(service.services)
    scope.after(async () => person.close())
  })

  /** As a member of its own each time: the rate limit is a member's. */
  const call = async (method: string, path: string, body?: unknown, of = team) =>
    service.call(await service.createToken(of.id, 'admin'), method, path, body)
  async function data(method: string, path: string, body?: unknown, of = team) {
    const answer = await call(method, path, body, of)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body.data
  }
  const monitor = async (name: string, options?: object, of = team): Promise<number> =>
    (await data('POST', '/monitors', { ...MONITORS.http, name, is_active: false, options }, of)).id
  const body = (name: string, members: unknown, rule?: unknown) => ({
    ...{ name, type: 'group', options: { members, ...(rule !== undefined && { rule }) } },
  })
  const group = async (name: string, members: unknown, rule?: unknown): Promise<number> =>
    (await data('POST', '/monitors', body(name, members, rule))).id
  const patch = (id: number, options: object | null) => call('PATCH', `/monitors/${id}`, { options })
  const refusal = async (id: number, options: object | null, field: string) => {
    const answer = await patch(id, options)
    assertInvalid(answer, [field])
    return answer.body.errors[field][0]
  }

  it('are answered as they were set, with a rule, and without anything that a group has not', async () => {
    const [one, two] = [await monitor('One'), await monitor('Two')]
    const made = await data('POST', '/monitors', {
      ...body('Both', [two, one], { at_least: 1 }),
      ...{ url: 'no URL', check_interval_minutes: 7, check_interval_seconds: -1 },
    })
    assert.deepEqual(made.options, { members: [two, one], rule: { at_least: 1 } })
    assert.deepEqual(
      [made.url, made.status, made.heartbeat_token, made.check_interval_seconds],
      [null, 'pending', null, null],
    )
    const tagged = await data('PATCH', `/monitors/${made.id}`, {
      ...{ url: 5, check_interval_minutes: 7, options: { members: { tags: ['Env:Prod'] }, rule: null } },
    })
    assert.deepEqual(tagged.options, { members: { tags: ['env:prod'] } })
    const listed = await data('GET', '/monitors?type=group')
    assert.deepEqual(
      listed.map(({ id }: { id: number }) => id),
      [made.id],
    )
  })

  it('are needed, and refused where they are none', async () => {
    const [known, gone] = [await monitor('Known'), await monitor('Gone')]
    const strange = await monitor('Strange', undefined, await service.createTeam())
    await call('DELETE', `/monitors/${gone}`)
    const id = await group('Of one', [known])
    for (const options of [null, undefined, {}, { members: null }, { rule: 'any' }])
      assertInvalid(await call('POST', '/monitors', { ...body('None', []), options }), ['options.members'])
    for (const options of [null, { members: null }]) await refusal(id, options, 'options.members')
    for (const one of [strange, gone, 2_147_483_647])
      for (const answer of [
        await patch(id, { members: [known, one] }),
        await call('POST', '/monitors', body('Others', [known, one])),
      ]) {
        assertInvalid(answer, ['options.members.1'])
        assert.deepEqual(answer.body.errors['options.members.1'], [
          `options.members.1 must be the ID of a monitor of the team, got ${one}`,
        ])
      }
    const table: [object, string, RegExp][] = [
      [{ members: [] }, 'options.members', /at least 1 entry/],
      [{ members: [known, known] }, 'options.members.1', /must not repeat/],
      [
        { members: Array.from({ length: 501 }, (_, index) => index + 1) },
        'options.members',
        /at most 500 entries/,
      ],
      [{ members: 'all' }, 'options.members', /must be IDs of monitors, or an object with the tags/],
      [{ members: { tags: ['no tag!'] } }, 'options.members.tags.0', /must be a key such as env/],
      [{ rule: 'most' }, 'options.rule', /must be all, any, or an object/],
      [{ rule: { at_least: 0 } }, 'options.rule.at_least', /at least 1/],
      [{ rule: { at_least: 2 } }, 'options.rule.at_least', /at most the number of members, 1/],
      [{ rule: { percent: 101 } }, 'options.rule.percent', /at most 100/],
      [{ attempts: 2 }, 'options.attempts', /is no option of a monitor of type group/],
      [{ inverted: true }, 'options.inverted', /is no option of a monitor of type group/],
    ]
    for (const [options, field, message] of table) assert.match(await refusal(id, options, field), message)
  })

  it('make no cycle, no fourth level and no parent of a member: the refusal names the way', async () => {
    const leaf = await monitor('Leaf')
    const inner = await group('Inner', [leaf])
    const middle = await group('Middle', [inner])
    const outer = await group('Outer', [middle])
    assert.equal(
      await refusal(inner, { members: [outer] }, 'options.members'),
      'options.members must not lead back to the group itself: Inner → Outer → Middle → Inner',
    )
    const deep = await call('POST', '/monitors', body('Too deep', [outer]))
    assertInvalid(deep, ['options.members'])
    assert.match(deep.body.errors['options.members'][0], /more than 3 deep: … → Outer → Middle → Inner$/)
    assert.equal(
      await refusal(leaf, { depends_on: [outer] }, 'options.depends_on'),
      'options.depends_on must not lead to a group that holds the monitor: Leaf → Outer',
    )
    const child = await monitor('Child', { depends_on: [middle] })
    assert.equal(
      await refusal(inner, { members: [leaf, child] }, 'options.members'),
      'options.members must not hold a monitor that depends on the group: Child → Middle',
    )
    assert.equal((await patch(outer, { members: [middle, child] })).status, 200)
  })

  it('make no cycle either when two changes come at once', async () => {
    const leaf = await monitor('Shared')
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const [one, other] = [await group(`One ${index}`, [leaf]), await group(`Other ${index}`, [leaf])]
        const answers = await Promise.all([
          patch(one, { members: [other] }),
          patch(other, { members: [one] }),
        ])
        assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422])
      }),
    )
  })

  it('leave a group when they are deleted, and it can be saved as it was', async () => {
    const [stays, goes] = [await monitor('Stays'), await monitor('Goes')]
    const id = await group('Two of them', [stays, goes])
    assert.equal((await call('DELETE', `/monitors/${goes}`)).status, 204)
    assert.equal((await patch(id, { members: [goes, stays] })).status, 200)
  })

  it('are exported and declared by name, and groups made after what they hold', async () => {
    const other = await service.createTeam()
    const environment = { url: service.url, token: await service.createToken(other.id, 'admin') }
    const run = async (args: string[], files: Record<string, string> = {}) =>
      person.run(args, { files, environment })
    const web = (name: string) => ({ ...MONITORS.http, name, is_active: false })
    const declared = (members: string[]) => ({
      monitors: [
        { name: 'All', type: 'group', members },
        { name: 'Inner', type: 'group', members: ['Shop'], options: { rule: 'any' } },
        { name: 'Tagged', type: 'group', options: { members: { tags: ['env'] } } },
        web('Shop'),
        web('Search'),
      ],
    })
    for (const members of [['Inner', 'Search'], ['Search']]) {
      const files = { 'all.json': JSON.stringify(declared(members)) }
      const ran = await run(['apply', 'all.json'], files)
      assert.equal(ran.status, 0, ran.err)
      assert.match((await run(['apply', 'all.json'], files)).out, /Nothing to change/)
      const { monitors } = JSON.parse((await run(['export', '--format', 'json'])).out)
      const of = (name: string) => monitors.find((one: { name: string }) => one.name === name)
      assert.deepEqual([of('All').members, of('All').options ?? null], [members, null])
      assert.deepEqual([of('Inner').members, of('Inner').options], [['Shop'], { rule: 'any' }])
      assert.deepEqual(
        [of('Tagged').members, of('Tagged').options],
        [undefined, { members: { tags: ['env'] } }],
      )
    }
    const byId = { monitors: [body('By ID', [1])] }
    const refused = await run(['apply', 'all.json'], { 'all.json': JSON.stringify(byId) })
    assert.match(refused.err, /options\.members must be left out: the names of the monitors stand beside/)
  })
})
