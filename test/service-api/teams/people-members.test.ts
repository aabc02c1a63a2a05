import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Role } from '../../../src/core/teams/access.ts'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { listen } from '../../../src/postgres/listen.ts'
import { SESSIONS_CHANNEL } from '../../../src/store/news.ts'
import { assertInvalid, assertProblem } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { type People, type Person, peopleOf, type Team } from '../../support/services/people.ts'
import { until } from '../../support/until.ts'

/** Makes what a path needs, and says the path. */
type Path = string | ((team: Team) => Promise<string>)

describe('the members of a team', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  let invited = 0
  const invitation = () => ({ email: `invited${++invited}@example.com`, role: 'viewer' })
  const newMember = async ({ id }: Team) => `/members/${(await people.member(id, 'viewer')).id}`
  const newInvitation = async ({ id, owner }: Team) =>
    `/invitations/${(await owner.data(id, 'POST', '/invitations', invitation())).id}`
  const tokenOf =
    (role: Role) =>
    async ({ id, ...team }: Team) => {
      const created = { team: id, email: team[role].email, name: 'x', expires: null }
      return `/api-tokens/${(await accounts.createToken(service.services, created)).id}`
    }

  /** Method, path, body; what a viewer, an admin and an owner are answered. */
  const TABLE: [string, Path, (() => unknown) | null, number, number, number][] = [
    ['PATCH', '/team', () => ({ name: 'Renamed' }), 403, 403, 200],
    ['GET', '/team/signing-secret', null, 403, 200, 200],
    ['POST', '/team/signing-secret/rotate', null, 403, 403, 200],
    ['GET', '/members', null, 200, 200, 200],
    ['PATCH', newMember, () => ({ role: 'admin' }), 403, 403, 200],
    ['DELETE', newMember, null, 403, 403, 204],
    ['GET', '/invitations', null, 403, 403, 200],
    ['POST', '/invitations', invitation, 403, 403, 201],
    ['DELETE', newInvitation, null, 403, 403, 204],
    ['GET', '/api-tokens', null, 200, 200, 200],
    ['POST', '/api-tokens', () => ({ name: 'ci' }), 403, 201, 201],
    ['DELETE', tokenOf('owner'), null, 404, 404, 204],
    ['DELETE', tokenOf('admin'), null, 404, 204, 404],
    ['DELETE', tokenOf('viewer'), null, 204, 404, 404],
    ['GET', '/audit-log', null, 403, 200, 200],
  ]

  it('do what their role lets them, and are refused the rest whatever they send', async () => {
    const team = await people.team()
    for (const [method, path, body, ...expected] of TABLE) {
      const at = typeof path === 'string' ? path : await path(team)
      const statuses = []
      for (const person of [team.viewer, team.admin, team.owner]) {
        statuses.push((await person.ask(team.id, method, at, body?.())).status)
      }
      assert.deepEqual(statuses, expected, `${method} ${at}`)
    }
    const nonsense = await team.admin.ask(team.id, 'PATCH', `/members/${team.viewer.id}`, { role: 'king' })
    assertProblem(nonsense, 403)
  })

  it('may all leave, but for the last owner', async () => {
    const team = await people.team()
    for (const role of ['viewer', 'admin'] as const) {
      assert.equal((await team[role].ask(team.id, 'POST', '/team/leave')).status, 204, role)
    }
    assertInvalid(await team.owner.ask(team.id, 'POST', '/team/leave'), ['team'])
  })

  it('are strangers to each other in different teams, whatever the id', async () => {
    const [team, other] = [await people.team(), await people.team()]
    const mine = await tokenOf('owner')(team)
    const paths = [
      `/members/${other.viewer.id}`,
      await newInvitation(other),
      await tokenOf('owner')(other),
      '/members/999999',
      '/invitations/0',
      '/api-tokens/x',
      '/api-tokens/99999999999',
    ]
    for (const path of paths) {
      assertProblem(await team.owner.ask(team.id, 'DELETE', path), 404)
      assertProblem(await team.owner.ask(other.id, 'DELETE', path), 404)
    }
    assertProblem(
      await team.owner.ask(team.id, 'PATCH', `/members/${other.viewer.id}`, { role: 'admin' }),
      404,
    )
    for (const path of ['/members', '/invitations', '/api-tokens', '/audit-log', '/team/signing-secret']) {
      assertProblem(await team.owner.ask(other.id, 'GET', path), 404)
    }
    assertProblem(await people.stranger().ask(team.id, 'GET', '/members'), 401)
    assert.deepEqual(
      [
        (await other.owner.data(other.id, 'GET', '/members')).length,
        (await other.owner.data(other.id, 'GET', '/invitations')).length,
        (await other.owner.data(other.id, 'GET', '/api-tokens'))[0].revoked_at,
      ],
      [3, 1, null],
    )
    assert.equal((await team.owner.ask(team.id, 'DELETE', mine)).status, 204)
  })

  it('are listed in name order, each with the role and whether it is oneself', async () => {
    const team = await people.team()
    const listed = await team.viewer.data(team.id, 'GET', '/members')
    const shown = (person: Person, role: Role) => ({
      id: person.id,
      name: person.name,
      email: person.email,
      role,
      uses_second_factor: false,
      joined_at: listed.find(({ id }: { id: number }) => id === person.id).joined_at,
      is_you: person === team.viewer,
    })
    const expected = [shown(team.owner, 'owner'), shown(team.admin, 'admin'), shown(team.viewer, 'viewer')]
    assert.deepEqual(
      listed,
      expected.sort((a, b) => (a.name < b.name ? -1 : 1)),
    )
  })

  it('lose their sessions with a change of the role, and nothing when it stays', async () => {
    const { id, owner, viewer } = await people.team()
    const set = (role: Role) => owner.data(id, 'PATCH', `/members/${viewer.id}`, { role })
    assert.equal((await set('viewer')).role, 'viewer')
    assert.ok(await viewer.isSignedIn())
    assert.equal((await set('admin')).role, 'admin')
    assert.ok(!(await viewer.isSignedIn()))
    await viewer.signIn()
    assert.equal((await viewer.ask(id, 'GET', '/audit-log')).status, 200)
    assertInvalid(await owner.ask(id, 'PATCH', `/members/${viewer.id}`, { role: 'king' }), ['role'])
    assertInvalid(await owner.ask(id, 'PATCH', `/members/${viewer.id}`, {}), ['role'])
  })

  it('lose sessions, tokens and open invitations with their membership', async () => {
    const { id, owner } = await people.team()
    const second = await people.member(id, 'owner')
    const { token } = await second.data(id, 'POST', '/api-tokens', { name: 'laptop' })
    await second.data(id, 'POST', '/invitations', invitation())
    assert.equal((await service.call(token, 'GET', '/team')).status, 200)
    assert.equal((await owner.ask(id, 'DELETE', `/members/${second.id}`)).status, 204)
    assert.ok(!(await second.isSignedIn()))
    assertProblem(await service.call(token, 'GET', '/team'), 403)
    assert.deepEqual(await owner.data(id, 'GET', '/invitations'), [])
    assertProblem(await owner.ask(id, 'DELETE', `/members/${second.id}`), 404)
    await second.signIn()
    assertProblem(await second.ask(id, 'GET', '/members'), 404)
  })

  it('keep an owner, even when two demote each other at once', async () => {
    const { id, owner } = await people.team()
    assertInvalid(await owner.ask(id, 'PATCH', `/members/${owner.id}`, { role: 'admin' }), ['role'])
    assertInvalid(await owner.ask(id, 'DELETE', `/members/${owner.id}`), ['member'])
    const second = await people.member(id, 'owner')
    const answers = await Promise.all([
      owner.ask(id, 'PATCH', `/members/${second.id}`, { role: 'viewer' }),
      second.ask(id, 'DELETE', `/members/${owner.id}`),
    ])
    // The second one is refused, because its session, membership or role is gone.
    const refused = answers.filter(({ status }) => status >= 400)
    assert.equal(refused.length, 1, JSON.stringify(answers.map(({ status }) => status)))
    assert.ok([401, 403, 404].includes(refused[0]?.status ?? 0))
    const { rows } = await service.services.db.pool.query(
      `SELECT count(*) AS owners FROM members WHERE team_id = $1 AND role = 'owner'`,
      [id],
    )
    assert.deepEqual(rows, [{ owners: 1 }])
  })

  it('stay signed in after they leave, and see another of their teams, or none', async () => {
    const [first, second] = [await people.team(), await people.team()]
    const person = await people.member(first.id, 'admin')
    await accounts.addMember(service.services, { team: second.id, email: person.email, role: 'viewer' })
    const { token } = await person.data(first.id, 'POST', '/api-tokens', { name: 'x' })
    await person.send('POST', '/auth/session/team', { team_id: first.id })
    const shown = async () => (await person.send('GET', '/auth/session')).body.data
    assert.equal((await shown()).team_id, first.id)
    assert.equal((await person.ask(first.id, 'POST', '/team/leave')).status, 204)
    assert.equal((await shown()).team_id, second.id)
    assertProblem(await service.call(token, 'GET', '/team'), 403)
    assertProblem(await person.ask(first.id, 'POST', '/team/leave'), 404)
    await person.ask(second.id, 'POST', '/team/leave')
    assert.deepEqual([(await shown()).team_id, (await shown()).teams], [null, []])
  })

  it('are announced, by the id of the user, when sessions end or lose a team', async (t) => {
    const { id, owner, admin, viewer } = await people.team()
    const heard: (string | null)[] = []
    const listening = listen(service.services.db, {
      [SESSIONS_CHANNEL]: (payload) => void heard.push(payload),
    })
    t.after(() => listening.close())
    await until('it listens', () => heard.length > 0)
    await owner.data(id, 'PATCH', `/members/${viewer.id}`, { role: 'admin' })
    await admin.ask(id, 'POST', '/team/leave')
    await owner.send('POST', '/auth/sign-out')
    const expected = [null, String(viewer.id), String(admin.id), String(owner.id)]
    await until('all are announced', () => heard.length >= expected.length)
    assert.deepEqual(heard, expected)
  })

  it('see the name that an owner gives the team, and share its signing secret until it is replaced', async () => {
    const { id, owner, admin, viewer } = await people.team()
    assert.equal((await owner.data(id, 'PATCH', '/team', { name: 'Night shift' })).name, 'Night shift')
    assert.equal((await viewer.data(id, 'GET', '/team')).name, 'Night shift')
    assertInvalid(await owner.ask(id, 'PATCH', '/team', { name: ' ' }), ['name'])
    const secret = async (person: Person) =>
      (await person.data(id, 'GET', '/team/signing-secret')).signing_secret
    const old = await secret(admin)
    assert.match(old, /^whsec_[\w+/]{43}=$/)
    const anew = (await owner.data(id, 'POST', '/team/signing-secret/rotate')).signing_secret
    assert.notEqual(anew, old)
    assert.equal(await secret(owner), anew)
  })
})
