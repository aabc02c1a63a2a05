import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { OperationId } from '../../../src/contract/contract.ts'
import { english } from '../../../src/core/language/said.ts'
import type { ShownDomain } from '../../../src/core/status-pages/shown-page.ts'
import { DomainProof, StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { lookUpTxt } from '../../../src/net/names/txt-records.ts'
import { run } from '../../../src/operations/run.ts'
import type { Services } from '../../../src/operations/services.ts'
import { addPerson, addTeam } from '../../support/records/teams.ts'
import { suiteScope } from '../../support/scope.ts'
import { type Reply, startDnsServer } from '../../support/servers/dns-server.ts'
import { apiService } from '../../support/services/api-service.ts'

describe('own domains', () => {
  const scope = suiteScope()
  const replies: Record<string, Reply> = {}
  let services: Services
  let made = 0

  before(async () => {
    const service = await apiService()
    const { address } = await startDnsServer(scope, replies)
    ownerId = await addPerson(service.services.db, { name: 'Dora', email: 'dora@domains.example' })
    services = { ...service.services, lookUpTxt: (name) => lookUpTxt(name, [address]) }
  })

  let ownerId = 0

  /** Asks as an owner of a team does in the dashboard. */
  const ask = (teamId: number, id: OperationId, body: object = {}, page = 0) =>
    run(services, id, {
      actor: { userId: ownerId, teamId, role: 'owner', plan: 'business', door: 'dashboard' },
      params: { statusPage: String(page) },
      query: {},
      readBody: async () => body,
    })
  const data = async (...asked: Parameters<typeof ask>) => {
    const { status, body } = await ask(...asked)
    assert.ok(status < 300, `${asked[1]}: ${JSON.stringify(body)}`)
    return (body as { data: unknown }).data
  }
  const pageOf = async (teamId: number): Promise<StatusPageDetail> =>
    StatusPageDetail.parse(
      await data(teamId, 'createStatusPage', { name: 'Shop', slug: `domains-${++made}` }),
    )
  const shown = async (teamId: number, page: number) =>
    StatusPageDetail.parse(await data(teamId, 'getStatusPage', {}, page))
  const add = async (teamId: number, page: number, domain: string): Promise<ShownDomain> => {
    const { domains } = StatusPageDetail.parse(await data(teamId, 'addStatusPageDomain', { domain }, page))
    return domains.find((one) => one.domain === domain) as ShownDomain
  }
  const prove = async (teamId: number, page: number, domain: string) =>
    DomainProof.parse(await data(teamId, 'proveStatusPageDomain', { domain }, page))
  const assertRefused = async (...asked: Parameters<typeof ask>) => {
    const { status, body } = await ask(...asked)
    assert.equal(status, 422, JSON.stringify(body))
    assert.deepEqual(Object.keys((body as { errors: object }).errors), ['domain'])
  }

  it('are proved by the record that they are given, which the answer says was found or not', async () => {
    const team = await addTeam(services.db)
    const { id, url } = await pageOf(team)
    const domain = 'status.proved.example'
    const { record_name, record_value, state } = await add(team, id, domain)
    assert.deepEqual([record_name, state], [`_upbeat-status.${domain}`, 'unproved'])
    const missing = await prove(team, id, domain)
    assert.deepEqual([missing.outcome, missing.found], ['missing', []])
    assert.match(english(missing.detail), /no TXT record at _upbeat-status\.status\.proved\.example yet/)
    replies[record_name] = { txt: ['v=spf1 -all'] }
    const another = await prove(team, id, domain)
    assert.deepEqual([another.outcome, another.found], ['missing', ['v=spf1 -all']])
    assert.match(english(another.detail), new RegExp(`none is ${record_value}`))
    replies[record_name] = 'SERVFAIL'
    assert.equal((await prove(team, id, domain)).outcome, 'unanswered')
    assert.equal((await shown(team, id)).url, url)
    replies[record_name] = { txt: ['v=spf1 -all', record_value] }
    const proof = await prove(team, id, domain)
    assert.deepEqual([proof.outcome, proof.domain.state], ['proved', 'proved'])
    assert.equal((await shown(team, id)).url, `https://${domain}`)
    replies[record_name] = []
    assert.equal((await prove(team, id, domain)).domain.state, 'lost')
    await data(team, 'removeStatusPageDomain', { domain }, id)
    assert.deepEqual((await shown(team, id)).domains, [])
  })

  it('belong to whoever controls their DNS: another page gives one up once its record is gone', async () => {
    const [first, second] = [await addTeam(services.db), await addTeam(services.db)]
    const [held, wanting] = [(await pageOf(first)).id, (await pageOf(second)).id]
    const domain = 'status.moved.example'
    const old = await add(first, held, domain)
    const next = await add(second, wanting, domain)
    replies[old.record_name] = { txt: [old.record_value] }
    assert.equal((await prove(first, held, domain)).outcome, 'proved')
    assert.equal((await prove(second, wanting, domain)).outcome, 'missing')
    replies[old.record_name] = { txt: [old.record_value, next.record_value] }
    const contested = await prove(second, wanting, domain)
    assert.deepEqual([contested.outcome, contested.domain.state], ['contested', 'unproved'])
    assert.equal((await shown(first, held)).domains[0]?.state, 'proved')
    replies[old.record_name] = { txt: [next.record_value] }
    const proofs = await Promise.all([prove(second, wanting, domain), prove(second, wanting, domain)])
    assert.deepEqual(
      proofs.map(({ outcome }) => outcome),
      ['proved', 'proved'],
    )
    assert.deepEqual((await shown(first, held)).domains, [])
  })

  it('are refused where they can be none, by the name of the field', async () => {
    const team = await addTeam(services.db)
    const { id } = await pageOf(team)
    await add(team, id, 'status0.refused.example')
    for (const domain of [
      'localhost',
      '192.0.2.1',
      'Status.example.com',
      'a..example',
      'status0.refused.example',
    ]) {
      await assertRefused(team, 'addStatusPageDomain', { domain }, id)
    }
    await assertRefused(team, 'proveStatusPageDomain', { domain: 'status.unknown.example' }, id)
    await assertRefused(team, 'removeStatusPageDomain', { domain: 'status.unknown.example' }, id)
    for (let count = 1; count < 5; count++) await add(team, id, `status${count}.refused.example`)
    await assertRefused(team, 'addStatusPageDomain', { domain: 'status5.refused.example' }, id)
  })
})
