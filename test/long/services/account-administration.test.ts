// npm test leaves this out: it signs in and hashes passwords dozens of times, in a service of its own (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { ago, changeRows, countRows } from '../../support/records/rows.ts'
import { addStatusPage, addSubscriber } from '../../support/records/status-pages.ts'
import { suiteScope } from '../../support/scope.ts'
import { assertInvalid, assertProblem } from '../../support/services/api-problems.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { PASSWORD, type People, type Person } from '../../support/services/people.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { openBrowser } from '../../support/sign-in/cookie-browser.ts'
import { type Connections, connectionsOf } from '../../support/sign-in/oauth-connections.ts'
import { codeOf } from '../../support/sign-in/totp.ts'

describe('the accounts of a service', () => {
  const scope = suiteScope()
  let service: AskedService
  let people: People
  let connections: Connections
  let operator: Person

  before(async () => {
    service = await startServiceHere({ ROLES: 'api', TRUST_PROXY: '1' })
    scope.after(() => service.close())
    connections = connectionsOf(service)
    people = connections.people
    operator = await people.person()
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await service.services.db.pool.query(text, values)).rows
  const patch = (id: number, body: unknown, by = operator) => by.send('PATCH', `/auth/accounts/${id}`, body)
  const remove = (id: number, by = operator) => by.send('DELETE', `/auth/accounts/${id}`)
  const signIn = async ({ email }: Person) =>
    openBrowser(service.url).send('POST', '/auth/sign-in', { email, password: PASSWORD })
  const list = async (search = '', page = 1) => {
    const { status, body } = await operator.send('GET', `/auth/accounts?search=${search}&page=${page}`)
    assert.equal(status, 200)
    return body.data
  }

  /** Everything that the database holds, as text. */
  async function everything(): Promise<string> {
    const tables = await query(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    )
    const rows = await Promise.all(tables.map(({ name }) => query(`SELECT t::text AS row FROM ${name} t`)))
    return rows.flatMap((each) => each.map(({ row }) => row)).join('\n')
  }

  it('are seen and changed by operators alone', async () => {
    const { owner, id } = await people.team()
    for (const person of [owner, await people.person()]) {
      assertProblem(await person.send('GET', '/auth/accounts'), 403)
      assertProblem(await patch(owner.id, { is_operator: true }, person), 403)
      assertProblem(await remove(operator.id, person), 403)
    }
    assert.equal((await people.stranger().send('GET', '/auth/accounts')).status, 401)
    const { accounts: found, meta } = await list(owner.email.toUpperCase())
    assert.equal(meta.total, 1)
    const [{ created_at, last_seen_at, ...shown }] = found
    assert.ok(created_at && last_seen_at)
    assert.deepEqual(shown, {
      id: owner.id,
      name: owner.name,
      email: owner.email,
      is_operator: false,
      is_email_verified: false,
      uses_second_factor: false,
      disabled_at: null,
      teams: [{ id, name: `Team of ${owner.name}`, role: 'owner' }],
    })
    assert.equal((await list('%_nobody')).meta.total, 0)
    assertInvalid(await operator.send('GET', '/auth/accounts?page=0'), ['page'])
    assertProblem(await patch(999_999, { is_disabled: true }), 404)
    assertProblem(await operator.send('DELETE', '/auth/accounts/x'), 404)
  })

  it('can become operators, of whom one always stays; none changes their own account here', async () => {
    const second = await people.person()
    assert.equal((await patch(second.id, { is_operator: true })).body.data.is_operator, true)
    assert.equal((await second.send('GET', '/auth/accounts')).status, 200)
    assert.equal((await patch(second.id, { is_operator: false })).status, 200)
    assertProblem(await second.send('GET', '/auth/accounts'), 403)
    for (const answer of [await patch(operator.id, { is_disabled: true }), await remove(operator.id)]) {
      assertInvalid(answer, ['account'])
    }
    const atCommandLine = { email: operator.email, isDisabled: true }
    await assert.rejects(accounts.setDisabled(service.services, atCommandLine))
    await assert.rejects(accounts.deleteUser(service.services, atCommandLine))
    await assert.rejects(accounts.setOperator(service.services, { email: operator.email, isOperator: false }))
  })

  it('end with everything that they let in when they are disabled, and get only sign-ins back', async () => {
    const { person, tokens, teamId, program } = await connections.connect('owner')
    const other = await people.member(teamId, 'owner')
    const { token } = await person.data(teamId, 'POST', '/api-tokens', { name: 'laptop' })
    const invitation = await person.data(teamId, 'POST', '/invitations', {
      email: 'x@example.com',
      role: 'owner',
    })
    assert.equal((await service.call(token, 'GET', '/team')).status, 200)
    assert.equal(await connections.statusOf(tokens.access_token), 200)

    const answer = await patch(person.id, { is_disabled: true })
    assert.ok(answer.body.data.disabled_at)
    assert.ok(!(await person.isSignedIn()))
    assert.equal((await service.call(token, 'GET', '/team')).status, 401)
    assert.equal(await connections.statusOf(tokens.access_token), 401)
    const renewed = await connections.ask('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
      client_id: program.provider.kept.client?.client_id ?? '',
    })
    assert.deepEqual([renewed.status, renewed.body.error], [400, 'invalid_grant'])
    assertProblem(await signIn(person), 403)
    const wrong = { email: person.email, password: 'a wrong password' }
    assertProblem(await openBrowser(service.url).send('POST', '/auth/sign-in', wrong), 401)
    const look = { token: new URL(invitation.link).hash.slice(1) }
    assertProblem(await people.stranger().send('POST', '/auth/invitations/look', look), 404)
    const createToken = { team: teamId, email: person.email, name: 'x', expires: null }
    await assert.rejects(accounts.createToken(service.services, createToken), /disabled/)
    const [entry] = await other.data(teamId, 'GET', '/audit-log')
    assert.deepEqual(
      [entry.action, entry.actor, entry.door, entry.subject, entry.subject_id],
      ['disableAccount', operator.name, 'dashboard', person.name, person.id],
    )
    assertInvalid(await other.ask(teamId, 'POST', '/team/leave'), ['team'])

    assert.equal((await patch(person.id, { is_disabled: false })).body.data.disabled_at, null)
    await person.signIn()
    assert.equal((await person.ask(teamId, 'GET', '/team')).status, 200)
    assert.equal((await service.call(token, 'GET', '/team')).status, 401)
    assert.equal(await connections.statusOf(tokens.access_token), 401)
  })

  it('refuse a sign-in during which they are disabled', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await people.person()
      const [entered, disabled] = await Promise.all([signIn(person), patch(person.id, { is_disabled: true })])
      assert.ok([204, 403].includes(entered.status))
      assert.equal(disabled.status, 200)
      assert.equal(await countRows(service.services.db, 'sessions', { user_id: person.id }), 0)
    }
  })

  it('are deleted with all that is personal, and the audit log keeps their number', async () => {
    const team = await people.team()
    const person = await people.member(team.id, 'owner')
    const name = 'Wilhelmina Unmistakable'
    const phone = '+4930123456789'
    await person.send('PATCH', '/auth/person', { name, phone })
    const { token } = await person.data(team.id, 'POST', '/api-tokens', { name: 'laptop' })
    await person.data(team.id, 'POST', '/invitations', { email: 'y@example.com', role: 'viewer' })
    const config = { email: person.email.toUpperCase() }
    const own = { name, type: 'email', config }
    const contact = await person.data(team.id, 'POST', '/notification-contacts', own)
    await person.data(team.id, 'POST', `/notification-contacts/${contact.id}/test`)
    await team.owner.ask(team.id, 'PATCH', `/members/${person.id}`, { role: 'admin' })
    const { db, vault } = service.services
    const pageId = await addStatusPage(db, team.id)
    const address = person.email.toUpperCase()
    await addSubscriber(db, vault, { teamId: team.id, pageId, address })
    const other = await addSubscriber(db, vault, { teamId: team.id, pageId })
    const before = await everything()
    assert.ok(before.includes(name))
    assert.ok(!before.includes(phone), 'a number is sealed')

    assert.equal((await remove(person.id)).status, 204)
    const left = (await everything()).toLowerCase()
    const found = left
      .split('\n')
      .filter((row) => [name.toLowerCase(), person.email, phone].some((part) => row.includes(part)))
    assert.deepEqual(found, [])
    const subscribers = await query('SELECT id FROM status_subscribers')
    assert.deepEqual(subscribers, [{ id: other }])
    assert.ok(!(await person.isSignedIn()))
    assertProblem(await signIn(person), 401)
    assert.equal((await service.call(token, 'GET', '/team')).status, 401)
    const contacts = await team.owner.data(team.id, 'GET', '/notification-contacts')
    assert.deepEqual(
      contacts.map(({ config }: { config: unknown }) => config),
      [{ email: team.owner.email }],
    )
    const log = await team.owner.data(team.id, 'GET', '/audit-log')
    const lines = log.map((line: Record<string, unknown>) => [line.action, line.actor, line.subject])
    const deleted = `Deleted account ${person.id}`
    for (const line of [
      ['deleteAccount', operator.name, deleted],
      ['updateMember', team.owner.name, deleted],
      ['createApiToken', deleted, 'laptop'],
      ['addMember', null, deleted],
    ]) {
      assert.ok(JSON.stringify(lines).includes(JSON.stringify(line)), JSON.stringify(lines))
    }
    assertProblem(await remove(person.id), 404)
    assert.equal((await list(person.email)).meta.total, 0)
  })

  it('are not deleted where a team would lose its last owner, or the only address that is alerted', async () => {
    const team = await people.team()
    assertInvalid(await remove(team.owner.id), ['account'])
    const second = await people.member(team.id, 'owner')
    const refused = await remove(team.owner.id)
    assertInvalid(refused, ['account'])
    assert.match(refused.body.errors.account[0], /add another contact first/)
    assert.ok(await team.owner.isSignedIn(), 'nothing of it was done')
    const body = { name: 'Ops', type: 'webhook', config: { url: 'https://hooks.example.com/' } }
    await second.data(team.id, 'POST', '/notification-contacts', body)
    assert.equal((await remove(team.owner.id)).status, 204)
  })

  it('are deleted by their holders, who prove that they are', async () => {
    const { id, viewer } = await people.team()
    const deleteOwn = (body: unknown) => viewer.send('POST', '/auth/account/delete', body)
    assertInvalid(await deleteOwn({}), ['password'])
    assertInvalid(await deleteOwn({ password: 'a wrong password' }), ['password'])
    const { secret } = (await viewer.send('POST', '/auth/totp', { password: PASSWORD })).body.data
    await viewer.send('POST', '/auth/totp/confirm', { code: codeOf(secret) })
    assertInvalid(await deleteOwn({ password: PASSWORD }), ['code'])
    assertInvalid(await deleteOwn({ password: PASSWORD, code: '000000' }), ['code'])
    assert.ok(await viewer.isSignedIn())
    const done = await deleteOwn({ password: PASSWORD, code: codeOf(secret, 1) })
    assert.deepEqual([done.status, /Max-Age=0/.test(done.headers.get('set-cookie') ?? '')], [204, true])
    assert.equal(await countRows(service.services.db, 'users', { id: viewer.id }), 0)
    assert.equal(await countRows(service.services.db, 'members', { team_id: id }), 2)
    assertProblem(await signIn(viewer), 401)
  })

  it('without a password are deleted by a session that is young', async () => {
    const person = await people.person()
    await person.send('GET', '/auth/session')
    await changeRows(service.services.db, 'users', { id: person.id }, { password_hash: null })
    const age = (minutes: number) =>
      changeRows(
        service.services.db,
        'sessions',
        { user_id: person.id },
        { created_at: ago(minutes * 60_000) },
      )
    await age(11)
    assertInvalid(await person.send('POST', '/auth/account/delete', {}), ['password'])
    await age(1)
    assert.equal((await person.send('POST', '/auth/account/delete', {})).status, 204)
  })
})
