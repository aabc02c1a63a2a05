import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostOfOne } from '../../src/core/sharing/share.ts'
import { sizeOf } from '../../src/core/sharing/shared.ts'
import type { Actor } from '../../src/operations/implementation.ts'
import { implementations } from '../../src/operations/implementations.ts'
import { run } from '../../src/operations/run.ts'
import type { Services } from '../../src/operations/services.ts'

test('requests of one team that take long are refused at some number, and keep none of another team', async (t) => {
  const gate = Promise.withResolvers<void>()
  const begun: number[] = []
  t.mock.method(implementations.getTeam, 'perform', (async (_: unknown, { actor }: { actor: Actor }) => {
    begun.push(actor.teamId)
    if (actor.teamId === 1) await gate.promise
    return { body: { data: actor.teamId } }
  }) as never)
  const services = {
    now: () => new Date(),
    docsUrl: 'http://localhost/docs',
    onBug: assert.fail,
  } as unknown as Services
  const ask = (teamId: number) =>
    run(services, 'getTeam', {
      actor: { teamId, userId: teamId, role: 'owner' } as unknown as Actor,
      params: {},
      query: {},
      readBody: async () => ({}),
    })
  const places = sizeOf('requests')
  const long = Array.from({ length: 300 }, () => ask(1))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal((await ask(2)).status, 200, 'the other team is answered meanwhile')
  assert.equal(begun.filter((team) => team === 1).length, mostOfOne(places))
  gate.resolve()
  const statuses = (await Promise.all(long)).map(({ status }) => status)
  const refused = statuses.filter((status) => status === 503).length
  assert.equal(refused, 300 - mostOfOne(places) - 200)
  assert.equal(statuses.filter((status) => status === 200).length, 300 - refused)
})
