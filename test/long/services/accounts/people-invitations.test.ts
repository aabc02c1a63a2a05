// npm test leaves this out: it needs a service with a mail server of its own, and makes many people with passwords (seconds of a core).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, it } from 'node:test'
import type { Refusal } from '../../../../src/core/errors.ts'
import { DAY_MS } from '../../../../src/core/history/history-span.ts'
import type { Role } from '../../../../src/core/teams/access.ts'
import * as accounts from '../../../../src/operations/accounts/operator-accounts.ts'
import { addRows, ago, changeRows, countRows, storedText } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'
import { arrived, type SmtpReceiver } from '../../../support/servers/smtp-receiver.ts'
import { assertInvalid, assertProblem } from '../../../support/services/api-problems.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { startMailedService } from '../../../support/services/mailed-service.ts'
import { PASSWORD, type People, type Person, peopleOf } from '../../../support/services/people.ts'
import { startServiceHere } from '../../../support/services/service-here.ts'
import { until } from '../../../support/until.ts'

describe('an invitation', () => {
  const scope = suiteScope()
  let smtp: SmtpReceiver
  let service: AskedService
  let people: People

  before(async () => {
    ;({ smtp, service, people } = await startMailedService(scope))
  })

  async function invite(team: { id: number; owner: Person }, email: string, role: Role = 'viewer') {
    const made = await team.owner.data(team.id, 'POST', '/invitations', { email, role })
    return { ...made, token: secretOf(made.link) }
  }

  const secretOf = (link: string) => {
    assert.ok(link.startsWith(`${service.services.siteUrl}/invitations#`), link)
    return new URL(link).hash.slice(1)
  }

  /** The secret in the newest letter to an address. */
  const mailed = (email: string) =>
    until(`a letter to ${email}`, () => {
      const letter = arrived(smtp).findLast(({ to }) => to.includes(email))
      return letter && { ...letter, token: secretOf(/http\S+/.exec(letter.text)?.[0] ?? '') }
    })

  const look = (person: Person, token: string) => person.send('POST', '/auth/invitations/look', { token })
  const accept = (person: Person, token: string) => person.send('POST', '/auth/invitations/accept', { token })
  const join = (person: Person, token: string, name = 'Newcomer') =>
    person.send('POST', '/auth/invitations/join', { token, name, password: PASSWORD })

  const isVerified = async (person: Person) =>
    (await person.send('GET', '/auth/session')).body.data.user.is_email_verified

  it('is shown once as a link, mailed as another, and listed without either', async () => {
    const team = await people.team()
    const { link, token, ...made } = await invite(team, 'ann@example.com', 'admin')
    assert.deepEqual(made, {
      id: made.id,
      email: 'ann@example.com',
      role: 'admin',
      invited_by: team.owner.name,
      created_at: made.created_at,
      expires_at: made.expires_at,
      is_mailed: true,
    })
    assert.equal(Date.parse(made.expires_at) - Date.parse(made.created_at), 7 * 86_400_000)
    const { is_mailed, ...listed } = made
    assert.deepEqual(await team.owner.data(team.id, 'GET', '/invitations'), [listed])

    const letter = await mailed('ann@example.com')
    assert.equal(letter.headers.get('subject'), 'You are invited to a team on Upbeat')
    assert.match(letter.text, /You are invited to the team “Team of Person \d+”, as an admin/)
    assert.notEqual(letter.token, token)
    const stored = await storedText(service.services.db, 'invitations')
    assert.ok(stored.includes('ann@example.com') && !stored.includes(token) && !stored.includes(letter.token))
  })

  it('says no more of what the inviter wrote than a short, clean name of the team', async () => {
    const team = await people.team()
    const name = `Pay at www.evil.example/?a=1 <b>today</b>, call +1 (555) ${'x'.repeat(100)}`
    await team.owner.data(team.id, 'PATCH', '/team', { name })
    await team.owner.send('PATCH', '/auth/person', { name: 'Your bank: www.evil.example' })
    await invite(team, 'cautious@example.com')
    const { headers, text, html } = await mailed('cautious@example.com')
    assert.match(text, /the team “Pay at www evil example a 1 b today b c…”, as a viewer/)
    for (const part of [String(headers.get('subject')), text, html]) {
      assert.ok(!part.includes('evil.example') && !part.includes('Your bank'), part)
    }
  })

  it('makes a person without an account a member with an account, signed in and with a proven address', async () => {
    const team = await people.team()
    await invite(team, 'Bea@example.com', 'admin')
    const { token } = await mailed('Bea@example.com')
    const bea = people.stranger('bea@example.com')
    assert.deepEqual((await look(bea, token)).body.data, {
      team_name: `Team of ${team.owner.name}`,
      email: 'Bea@example.com',
      role: 'admin',
      invited_by: team.owner.name,
      has_account: false,
      makes_account: true,
      is_yours: false,
    })
    assert.equal((await accept(bea, token)).status, 401)
    const short = { token, name: 'Bea', password: 'short' }
    assertInvalid(await bea.send('POST', '/auth/invitations/join', short), ['password'])
    assert.equal((await join(bea, token, 'Bea')).status, 204)
    const shown = (await bea.send('GET', '/auth/session')).body.data
    assert.deepEqual(
      [shown.user.name, shown.user.email, shown.user.is_email_verified, shown.team_id],
      ['Bea', 'Bea@example.com', true, team.id],
    )
    assert.equal((await bea.ask(team.id, 'POST', '/api-tokens', { name: 'x' })).status, 201)
    assert.deepEqual(await team.owner.data(team.id, 'GET', '/invitations'), [])
    await bea.signIn()
  })

  it('makes no account by the link that its inviter knows, nor reveals who has one', async () => {
    const team = await people.team()
    const known = await people.person()
    const answers = []
    for (const email of ['victim@example.com', known.email]) {
      const { token } = await invite(team, email)
      const guest = people.stranger(email)
      const { email: _, ...told } = (await look(guest, token)).body.data
      const joined = await join(guest, token)
      assertInvalid(joined, ['token'])
      answers.push({ told, body: joined.body, session: (await guest.send('GET', '/auth/session')).status })
    }
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual([answers[0]?.told.has_account, answers[0]?.told.makes_account], [null, false])
    const { token } = await invite(team, known.email)
    const own = (await look(known, token)).body.data
    assert.deepEqual([own.has_account, own.is_yours], [true, true])
  })

  it('is accepted by the person who is signed in, at any address, and proves none', async () => {
    const team = await people.team()
    const [invited, other] = [await people.person(), await people.person()]
    const written = invited.email.replace('person', 'Person')
    await invite(team, written, 'viewer')
    const { token } = await mailed(written)
    const shown = (await look(invited, token)).body.data
    assert.deepEqual([shown.has_account, shown.is_yours], [true, true])
    assert.deepEqual((await look(other, token)).body.data.is_yours, false)
    assertInvalid(await join(people.stranger(), token), ['token'])
    const accepted = await accept(invited, token)
    const asListed = { id: team.id, name: `Team of ${team.owner.name}`, role: 'viewer' }
    assert.deepEqual([accepted.status, accepted.body.data], [200, asListed])
    assert.equal(
      await isVerified(invited),
      false,
      'confirming ends what was there before: one is asked for that',
    )
    const session = (await invited.send('GET', '/auth/session')).body.data
    assert.deepEqual([session.team_id, session.teams], [team.id, [asListed]])

    const elsewhere = 'elsewhere@example.com'
    await invite(team, elsewhere, 'admin')
    assert.equal((await accept(other, (await mailed(elsewhere)).token)).status, 200)
    assert.equal(await isVerified(other), false)
    const [entry] = await team.owner.data(team.id, 'GET', '/audit-log')
    assert.deepEqual(
      [entry.action, entry.actor, entry.subject, entry.door],
      ['acceptInvitation', other.name, elsewhere, 'dashboard'],
    )
  })

  it('leaves the role of a member as it is', async () => {
    const team = await people.team()
    assertInvalid(
      await team.owner.ask(team.id, 'POST', '/invitations', {
        email: team.admin.email.toUpperCase(),
        role: 'viewer',
      }),
      ['email'],
    )
    const { token } = await invite(team, 'other-address@example.com')
    assertInvalid(await accept(team.admin, token), ['token'])
    assert.equal((await team.admin.ask(team.id, 'GET', '/audit-log')).status, 200)
    assert.equal((await look(people.stranger(), token)).status, 200)
  })

  it('is refused in the same words once it was used, taken back, replaced, or has expired', async () => {
    const team = await people.team()
    const email = 'late@example.com'
    const used = await invite(team, 'used@example.com')
    const racing = await Promise.all([1, 2, 3].map(async () => accept(await people.person(), used.token)))
    assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 404, 404])
    const replaced = await invite(team, email)
    const revoked = await invite(team, email.toUpperCase())
    assert.equal((await team.owner.data(team.id, 'GET', '/invitations')).length, 1)
    assert.equal((await team.owner.ask(team.id, 'DELETE', `/invitations/${revoked.id}`)).status, 204)
    const expired = await invite(team, 'expired@example.com')
    await changeRows(service.services.db, 'invitations', { id: expired.id }, { expires_at: ago(60_000) })
    assert.deepEqual(await team.owner.data(team.id, 'GET', '/invitations'), [])
    assertProblem(await team.owner.ask(team.id, 'DELETE', `/invitations/${expired.id}`), 404)

    const person = await people.person()
    const { body } = await look(person, 'x'.repeat(32))
    for (const { token } of [used, replaced, revoked, expired]) {
      for (const answer of [
        await look(person, token),
        await accept(person, token),
        await join(person, token),
      ]) {
        assertProblem(answer, 404)
        assert.deepEqual(answer.body, body)
      }
    }
    assert.match(body.detail, /does not work/)
    for (const missing of [await look(person, ''), await accept(person, 'x'.repeat(201))]) {
      assert.ok([404, 422].includes(missing.status))
    }
  })

  it('is one of fifty at most, and of three letters to one address in ten minutes', async () => {
    const team = await people.team()
    const invitations = Array.from({ length: 49 }, (_, index) => ({
      team_id: team.id,
      email: `${index}@bulk.example`,
      role: 'viewer' as const,
      link_hash: randomBytes(32),
      letter_hash: randomBytes(32),
      created_at: new Date(),
      expires_at: ago(-DAY_MS),
    }))
    await addRows(service.services.db, 'invitations', invitations)
    await invite(team, 'fiftieth@example.com')
    const create = (email: string) =>
      team.owner.ask(team.id, 'POST', '/invitations', { email, role: 'viewer' })
    assertInvalid(await create('fifty-first@example.com'), ['email'])
    // Inviting again takes no further place.
    assert.equal((await create('fiftieth@example.com')).status, 201)
    assert.equal((await create('fiftieth@example.com')).status, 201)
    assertProblem(await create('Fiftieth@example.com'), 429)
    assertInvalid(await create('nobody'), ['email'])
  })

  it('needs a person who asks from one of our own pages, and as often as a person does', async () => {
    const team = await people.team()
    const { token } = await invite(team, 'slow@example.com')
    const foreign = await fetch(`${service.url}/auth/invitations/look`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    assert.equal(foreign.status, 403)
    const guesser = people.stranger()
    const statuses = []
    for (let i = 0; i < 31; i++) statuses.push((await look(guesser, `guess${i}`)).status)
    assert.deepEqual(statuses, [...Array(30).fill(404), 429])
    assert.deepEqual(
      [(await look(guesser, token)).status, (await look(people.stranger(), token)).status],
      [200, 200],
    )
  })
})

describe('where mail is not set up and sign-up is closed', () => {
  const scope = suiteScope()
  let service: AskedService
  let people: People

  before(async () => {
    service = await startServiceHere({ ROLES: 'api', TRUST_PROXY: '1' })
    scope.after(() => service.close())
    people = peopleOf(service)
  })

  it('an invitation says that it was not mailed', async () => {
    const { id, owner } = await people.team()
    const made = await owner.data(id, 'POST', '/invitations', { email: 'a@example.com', role: 'viewer' })
    assert.equal(made.is_mailed, false)
    const token = new URL(made.link).hash.slice(1)
    const guest = people.stranger('a@example.com')
    const told = (await guest.send('POST', '/auth/invitations/look', { token })).body.data
    assert.deepEqual([told.has_account, told.makes_account], [null, true])
    const body = { token, name: 'Guest', password: PASSWORD }
    assert.equal((await guest.send('POST', '/auth/invitations/join', body)).status, 204)
    const { user } = (await guest.send('GET', '/auth/session')).body.data
    assert.equal(user.is_email_verified, false, 'its inviter may have made it')
  })

  it('a team is made by an operator alone, and is on the business plan', async () => {
    const { id, owner, admin, viewer } = await people.team()
    const alone = await people.person()
    const create = (person: Person, name = 'Second') => person.send('POST', '/auth/teams', { name })
    const session = async (person: Person) => (await person.send('GET', '/auth/session')).body.data
    assert.equal((await create(people.stranger())).status, 401)
    assert.equal((await viewer.ask(id, 'POST', '/team/leave')).status, 204)
    assert.equal((await owner.ask(id, 'DELETE', `/members/${admin.id}`)).status, 204)
    await admin.signIn()
    for (const person of [await people.member(id, 'owner'), admin, viewer, alone]) {
      assertProblem(await create(person), 403)
      assert.equal((await session(person)).may_make_team, false)
    }
    const teams = () => countRows(service.services.db, 'teams')
    assert.equal(await teams(), 2)

    await accounts.setOperator(service.services, { email: alone.email, isOperator: true })
    assertInvalid(await create(alone, ''), ['name'])
    const { status, body } = await create(alone)
    assert.deepEqual([status, body.data.name, body.data.role], [201, 'Second', 'owner'])
    const { team_id, may_make_team, user } = await session(alone)
    assert.deepEqual([team_id, may_make_team, user.is_operator], [body.data.id, true, true])
    const team = await alone.data(body.data.id, 'GET', '/team')
    assert.deepEqual([team.plan, team.members_count, team.notification_contacts_count], ['business', 1, 1])
    const [contact] = await alone.data(body.data.id, 'GET', '/notification-contacts')
    assert.deepEqual([contact.type, contact.config], ['email', { email: alone.email }])
    const [entry] = await alone.data(body.data.id, 'GET', '/audit-log')
    assert.deepEqual([entry.action, entry.actor, entry.fields], ['createTeam', alone.name, ['name']])

    await accounts.setOperator(service.services, { email: alone.email, isOperator: false })
    assertProblem(await create(alone), 403)
  })

  it('the first account is the operator, and the last operator stays one', async () => {
    const { rows } = await service.services.db.pool.query('SELECT email FROM users WHERE is_operator')
    assert.equal(rows.length, 1)
    const [{ email }] = rows
    const second = await people.person()
    const name = (address: string, isOperator: boolean) =>
      accounts.setOperator(service.services, { email: address, isOperator })
    await assert.rejects(
      name(email, false),
      ({ members }: Refusal) => 'account' in (members.errors as object),
    )
    await name(second.email, true)
    const ended = await Promise.allSettled([name(email, false), name(second.email, false)])
    assert.deepEqual(ended.map((each) => each.status).sort(), ['fulfilled', 'rejected'])
    await name(email, true)
    await name(second.email, false)
  })
})

it('where sign-up is open, a person makes up to three teams on the free plan, and an operator any number', async (t) => {
  const service = await startServiceHere({ ROLES: 'api', TRUST_PROXY: '1', SIGNUP: 'open' })
  t.after(() => service.close())
  const people = peopleOf(service)
  const { owner: operator, viewer } = await people.team()
  const create = (person: Person) => person.send('POST', '/auth/teams', { name: 'Mine' })
  const plan = async (person: Person) => {
    const { status, body } = await create(person)
    assert.equal(status, 201)
    return (await person.data(body.data.id, 'GET', '/team')).plan
  }
  assert.equal(await plan(viewer), 'free')
  assert.equal(await plan(viewer), 'free')
  const answers = await Promise.all([create(viewer), create(viewer)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422])
  assertInvalid(await create(viewer), ['name'])
  for (let i = 0; i < 4; i++) assert.equal(await plan(operator), 'business')
})
