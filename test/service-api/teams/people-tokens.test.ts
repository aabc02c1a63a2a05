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
      last_used_from: null,
      last_used_by: null,
      is_read_only: false,
      expires_at: null,
      revoked_at: null,
      connection: null,
    })
    assert.deepEqual(await admin.data(id, 'GET', '/api-tokens'), [made])
    const from = { 'user-agent': 'terraform/1.9 (linux)', 'x-forwarded-for': '198.51.100.77' }
    const { body } = await service.call(token, 'GET', '/team', undefined, from)
    assert.equal(body.data.id, id)
    const [used] = await admin.data(id, 'GET', '/api-tokens')
    assert.notEqual(used.last_used_at, null)
    assert.deepEqual([used.last_used_from, used.last_used_by], ['198.51.100.77', 'terraform/1.9 (linux)'])
    assert.equal((await admin.ask(id, 'DELETE', `/api-tokens/${made.id}`)).status, 204)
    assert.equal(await status(token), 401)
    assertProblem(await admin.ask(id, 'DELETE', `/api-tokens/${made.id}`), 404)
    const [revoked] = await admin.data(id, 'GET', '/api-tokens')
    assert.notEqual(revoked.revoked_at, null)
  })

  it('may be for reading alone, whatever the role of who made them', async () => {
    const { id, owner } = await people.team()
    const made = await owner.data(id, 'POST', '/api-tokens', { name: 'reads', is_read_only: true })
    assert.deepEqual([made.is_read_only, made.connection], [true, null])
    assert.equal(await status(made.token), 200)
    const { status: refused, body } = await service.call(made.token, 'POST', '/monitors', {})
    assert.equal(refused, 403)
    assert.equal(body.detail, 'This token is read-only. Use one that may write.')
  })

  it('are replaced by new ones of their kind, while the old ones work for as long as was chosen', async () => {
    const { id, owner, admin } = await people.team()
    const asked = { name: 'rotates', is_read_only: true, expires_in_days: 30 }
    const old = await admin.data(id, 'POST', '/api-tokens', asked)
    const rotate = (token: { id: number }, hours: number, by = admin) =>
      by.ask(id, 'POST', `/api-tokens/${token.id}/rotate`, { old_works_hours: hours })
    assertProblem(await rotate(old, 1, owner), 404)
    assertInvalid(await rotate(old, 721), ['old_works_hours'])
    const { body } = await rotate(old, 1)
    const next = body.data
    assert.deepEqual([next.name, next.is_read_only], ['rotates', true])
    const daysOf = ({ created_at, expires_at }: Record<string, string>) =>
      Math.round((Date.parse(expires_at ?? '') - Date.parse(created_at ?? '')) / 86_400_000)
    assert.equal(daysOf(next), 30)
    assert.deepEqual([await status(old.token), await status(next.token)], [200, 200])
    const [, ending] = await admin.data(id, 'GET', '/api-tokens')
    assert.equal(ending.id, old.id)
    assert.equal(daysOf(ending), 0)
    const last = (await rotate(next, 0)).body.data
    assert.deepEqual([await status(next.token), await status(last.token)], [401, 200])
    assertProblem(await rotate(next, 0), 404)
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
