import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteScope } from '../support/scope.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService, TestTeam } from '../support/services/asked-service.ts'
import { type Commander, commander } from '../support/services/remote-command.ts'

describe('what a monitor depends on', () => {
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
  const create = async (name: string, parents?: number[], of = team): Promise<number> =>
    (
      await data(
        'POST',
        '/monitors',
        { ...MONITORS.http, name, is_active: false, ...(parents && { options: { depends_on: parents } }) },
        of,
      )
    ).id
  const parentsOf = async (id: number) => (await data('GET', `/monitors/${id}`)).options?.depends_on ?? null
  const patch = (id: number, depends_on: unknown) =>
    call('PATCH', `/monitors/${id}`, { options: { depends_on } })

  it('is answered as it was set, and removed by null', async () => {
    const [one, two] = [await create('One'), await create('Two')]
    const child = await create('Child', [two, one])
    assert.deepEqual(await parentsOf(child), [two, one])
    assert.equal((await patch(child, null)).body.data.options, null)
  })

  it('is refused where it is no monitor of the team: one of another as one that does not exist', async () => {
    const strange = await create('Strange', undefined, await service.createTeam())
    const [known, gone] = [await create('Known'), await create('Gone')]
    await call('DELETE', `/monitors/${gone}`)
    const child = await create('Child of none')
    for (const id of [strange, gone, 2_147_483_647])
      for (const answer of [
        await patch(child, [known, id]),
        await call('POST', '/monitors', { ...MONITORS.http, options: { depends_on: [known, id] } }),
      ]) {
        assertInvalid(answer, ['options.depends_on.1'])
        assert.deepEqual(answer.body.errors['options.depends_on.1'], [
          `options.depends_on.1 must be the ID of a monitor of the team, got ${id}`,
        ])
      }
  })

  it('is bounded, and names each monitor once', async () => {
    const one = await create('Once')
    assertInvalid(await patch(await create('Twice'), [one, one]), ['options.depends_on.1'])
    assertInvalid(await patch(one, []), ['options.depends_on'])
    assertInvalid(
      await patch(
        one,
        Array.from({ length: 21 }, (_, index) => index + 1),
      ),
      ['options.depends_on'],
    )
  })

  it('keeps a monitor that was deleted since, which a later change may send back', async () => {
    const [parent, other] = [await create('Deleted later'), await create('Other')]
    const child = await create('Child of both', [parent])
    await call('DELETE', `/monitors/${parent}`)
    assert.equal((await patch(child, [parent, other])).status, 200)
  })

  it('is no cycle, however long, also by way of a deleted monitor: the refusal names it', async () => {
    const top = await create('Top')
    const middle = await create('Middle', [top])
    const bottom = await create('Bottom', [middle])
    const refusal = async (id: number, parents: number[]) => {
      const answer = await patch(id, parents)
      assertInvalid(answer, ['options.depends_on'])
      return answer.body.errors['options.depends_on'][0]
    }
    const must = 'options.depends_on must not lead back to the monitor itself:'
    assert.equal(await refusal(top, [top]), `${must} Top → Top`)
    assert.equal(await refusal(top, [bottom]), `${must} Top → Bottom → Middle → Top`)
    await call('DELETE', `/monitors/${middle}`)
    assert.equal(await refusal(top, [bottom]), `${must} Top → Bottom → #${middle} → Top`)
  })

  it('is no cycle either when two changes come at once', async () => {
    const pairs = Array.from({ length: 12 }, async (_, index) => {
      const [one, other] = [await create(`One ${index}`), await create(`Other ${index}`)]
      const answers = await Promise.all([patch(one, [other]), patch(other, [one])])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422])
    })
    await Promise.all(pairs)
  })

  it('is no group of its own either when both are changed at once, nor one of several that make a ring', async () => {
    const group = async (members: number[]) =>
      (await data('POST', '/monitors', { ...MONITORS.group, options: { members } })).id as number
    const works = Array.from({ length: 8 }, async (_, index) => {
      const [one, two, three] = [
        await create(`First ${index}`),
        await create(`Second ${index}`),
        await create(`Third ${index}`),
      ]
      const [inner, outer] = [await group([two]), await group([three])]
      const both = await Promise.all([
        patch(one, [inner]),
        call('PATCH', `/monitors/${inner}`, { options: { members: [two, one] } }),
      ])
      assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 422])
      const nested = await Promise.all([
        patch(two, [outer]),
        call('PATCH', `/monitors/${outer}`, { options: { members: [three, inner] } }),
      ])
      assert.deepEqual(nested.map(({ status }) => status).toSorted(), [200, 422])
      const ring = [await create('A'), await create('B'), await create('C')] as const
      const [a, b, c] = ring
      const answers = await Promise.all([patch(a, [b]), patch(b, [c]), patch(c, [a])])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 422])
    })
    await Promise.all(works)
  })

  it('is exported and declared by name, also where links change their direction', async () => {
    const other = await service.createTeam()
    const environment = { url: service.url, token: await service.createToken(other.id, 'admin') }
    const run = async (args: string[], files: Record<string, string> = {}) =>
      person.run(args, { files, environment })
    const declared = (links: Record<string, string[]>) =>
      JSON.stringify({
        monitors: Object.entries(links).map(([name, depends_on]) => ({
          ...MONITORS.http,
          ...{ name, is_active: false },
          ...(depends_on.length > 0 && { depends_on }),
        })),
      })
    const apply = async (links: Record<string, string[]>) => {
      const ran = await run(['apply', 'all.json'], { 'all.json': declared(links) })
      assert.equal(ran.status, 0, ran.err)
      return ran.out
    }
    const exported = async () => {
      const { monitors } = JSON.parse((await run(['export', '--format', 'json'])).out)
      return Object.fromEntries(
        monitors.map((one: { name: string; depends_on?: string[] }) => [one.name, one.depends_on ?? []]),
      )
    }
    for (const links of [
      { Shop: ['Router', 'Line'], Router: ['Line'], Line: [] },
      { Shop: [], Router: ['Shop'], Line: ['Router'] },
      { Shop: [], Router: [], Line: [] },
    ]) {
      await apply(links)
      assert.match(await apply(links), /Nothing to change/)
      assert.deepEqual(await exported(), links)
    }
    const unknown = await run(['apply', 'all.json'], { 'all.json': declared({ Shop: ['Switch'] }) })
    assert.match(unknown.err, /"Switch" is no monitor of the file or the team/)
    const byId = { ...MONITORS.http, name: 'Shop', options: { depends_on: [1] } }
    const refused = await run(['apply', 'all.json'], { 'all.json': JSON.stringify({ monitors: [byId] }) })
    assert.match(refused.err, /must be left out: the names of the monitors stand beside the options/)
  })
})
