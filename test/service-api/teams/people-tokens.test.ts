import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { ago, changeRows } from '../../support/records/rows.ts'
import { addTokens } from '../../support/records/teams.ts'
import { assertInvalid, assertProblem } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, peopleOf } from '../../support/services/people.ts'

describe('API tokens in the dashboard', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  const status = async (token: string) => (await service.call(token, 'GET', '/team')).status

  it('are shown once, work at once in their team, and not after they were revoked', async () => {
    const { id, admin } = await people.team()
    const { token, ...made } = await admin.data(id, 'POST', '/api-tokens', { name: 'ci' })
    assert.match(token, /^upb_[0-9A-Za-z]{46}$/)
    assert.deepEqual(made, {
      id: made.id,
      name: 'ci',
      ending: token.slice(-4),
      created_by: admin.name,
      is_yours: true,
      created_at: made.created_at,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      connection: null,
    })
    assert.deepEqual(await admin.data(id, 'GET', '/api-tokens'), [made])
    const { body } = await service.call(token, 'GET', '/team')
    assert.equal(body.data.id, id)
    const [used] = await admin.data(id, 'GET', '/api-tokens')
    assert.notEqual(used.last_used_at, null)
    assert.equal((await admin.ask(id, 'DELETE', `/api-tokens/${made.id}`)).status, 204)
    assert.equal(await status(token), 401)
    assertProblem(await admin.ask(id, 'DELETE', `/api-tokens/${made.id}`), 404)
    const [revoked] = await admin.data(id, 'GET', '/api-tokens')
    assert.notEqual(revoked.revoked_at, null)
  })

  it('are seen and revoked by who made them and by owners', async () => {
    const { id, owner, admin } = await people.team()
    const mine = await admin.data(id, 'POST', '/api-tokens', { name: 'admin' })
    const theirs = await owner.data(id, 'POST', '/api-tokens', { name: 'owner' })
    const listed = (await owner.data(id, 'GET', '/api-tokens')) as { name: string; is_yours: boolean }[]
    assert.deepEqual(
      listed.map(({ name, is_yours }) => [name, is_yours]),
      [
        ['owner', true],
        ['admin', false],
      ],
    )
    assert.deepEqual(
      (await admin.data(id, 'GET', '/api-tokens')).map(({ name }: { name: string }) => name),
      ['admin'],
    )
    assertProblem(await admin.ask(id, 'DELETE', `/api-tokens/${theirs.id}`), 404)
    assert.deepEqual([await status(theirs.token), await status(mine.token)], [200, 200])
    assert.equal((await owner.ask(id, 'DELETE', `/api-tokens/${mine.id}`)).status, 204)
    assert.equal(await status(mine.token), 401)
  })

  it('end after the days that were asked for, one to ten years', async () => {
    const { id, owner } = await people.team()
    const body = { name: 'short', expires_in_days: 1 }
    const { token, ...made } = await owner.data(id, 'POST', '/api-tokens', body)
    const days = (Date.parse(made.expires_at) - Date.parse(made.created_at)) / 86_400_000
    assert.equal(Math.round(days * 100), 100)
    assert.equal(await status(token), 200)
    await changeRows(service.services.db, 'tokens', { id: made.id }, { expires_at: ago(1_000) })
    assert.equal(await status(token), 401)
    for (const expires_in_days of [0, 3_651, 1.5, '7']) {
      const refused = await owner.ask(id, 'POST', '/api-tokens', { name: 'x', expires_in_days })
      assertInvalid(refused, ['expires_in_days'])
    }
    assertInvalid(await owner.ask(id, 'POST', '/api-tokens', {}), ['name'])
  })

  it('are a hundred for each member at most; revoked and expired ones do not count', async () => {
    const { id, owner, admin } = await people.team()
    const own = { team_id: id, user_id: owner.id }
    const times = (count: number, columns: object) =>
      Array.from({ length: count }, () => ({ ...own, ...columns }))
    const [revoked, expired] = [{ revoked_at: new Date() }, { expires_at: ago(1_000) }]
    await addTokens(service.services.db, [...times(99, {}), ...times(10, revoked), ...times(11, expired)])
    const create = () => owner.ask(id, 'POST', '/api-tokens', { name: 'last' })
    const answers = await Promise.all([create(), create(), create()])
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 422, 422])
    assert.equal((await admin.ask(id, 'POST', '/api-tokens', { name: 'other' })).status, 201)
    const [first] = await owner.data(id, 'GET', '/api-tokens')
    assert.equal(first.revoked_at, null)
  })

  it('of the command line are the same ones', async () => {
    const { id, owner } = await people.team()
    const input = { team: id, email: owner.email, name: 'cli', expires: null }
    const created = await accounts.createToken(service.services, input)
    const [listed] = await owner.data(id, 'GET', '/api-tokens')
    assert.deepEqual([listed.id, listed.ending], [created.id, created.token.slice(-4)])
    assert.equal((await owner.ask(id, 'DELETE', `/api-tokens/${created.id}`)).status, 204)
    await assert.rejects(accounts.revokeToken(service.services, created.id), /there is no valid token/)
  })
})
