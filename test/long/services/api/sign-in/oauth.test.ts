// npm test leaves this out: it signs programs in by the official SDK, with a password each time (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as accounts from '../../../../../src/operations/accounts/operator-accounts.ts'
import { hashToken } from '../../../../../src/store/teams/tokens.ts'
import { ago, changeRows, storedText } from '../../../../support/records/rows.ts'
import { assertProblem } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { PASSWORD } from '../../../../support/services/people.ts'
import {
  type Connections,
  codeIn,
  connectionsOf,
  exchangeForm,
  type Grant,
  refreshForm,
} from '../../../../support/sign-in/oauth-connections.ts'
import { openConsentBrowser } from '../../../../support/sign-in/oauth-program.ts'

const CONTACT = { name: 'Ops', type: 'slack', config: { webhook_url: 'https://hooks.example.com/secret' } }

describe('a program that is let in by a sign-in', () => {
  let service: AskedService
  let connections: Connections

  before(async () => {
    service = await apiService()
    connections = connectionsOf(service)
  })

  it('finds its way from the address of the API to a token, by the official SDK', async () => {
    const team = await connections.people.team()
    const program = connections.newProgram()
    const asked = await program.begin()
    assert.equal(asked?.origin, connections.site)
    assert.equal(asked?.searchParams.get('resource'), `${connections.site}/api/v1`)
    assert.equal(asked?.searchParams.get('scope'), 'read write')

    const stranger = await (await openConsentBrowser(service, null)).open(asked?.href ?? '')
    assert.equal(stranger.status, 303)
    const back = new URL(stranger.location ?? '', connections.site)
    assert.equal(back.pathname, '/sign-in')
    assert.equal(new URL(back.searchParams.get('to') ?? '', connections.site).href, asked?.href)

    const browser = await connections.browserOf(team.owner)
    const page = await browser.open(back.searchParams.get('to') ?? '')
    assert.equal(page.status, 200)
    for (const said of [
      'Connect <bdi>Robot</bdi> to Upbeat?',
      team.owner.email,
      'a program on this computer (127.0.0.1)',
    ]) {
      assert.ok(page.text.includes(said), said)
    }
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /form-action 'self' http:\/\/127\.0\.0\.1:33418;.*frame-ancestors 'none'/,
    )
    const answer = await browser.submit(page, { team: String(team.id), access: 'write', decision: 'allow' })
    assert.equal(answer.status, 303)
    assert.ok(answer.location?.startsWith('http://127.0.0.1:33418/callback?code='), String(answer.location))
    const tokens = await program.finish(answer.location)
    assert.deepEqual(
      { ...tokens, access_token: '', refresh_token: '', issuer: undefined },
      {
        access_token: '',
        refresh_token: '',
        token_type: 'Bearer',
        expires_in: 3_600,
        scope: 'read write',
        issuer: undefined,
      },
    )
    assert.match(tokens.access_token, /^upb_[0-9A-Za-z]{46}$/)
    assert.equal(await connections.statusOf(tokens.access_token), 200)
    assert.equal(
      await connections.statusOf(tokens.access_token, 'POST', '/notification-contacts', CONTACT),
      201,
    )

    const [listed] = await team.owner.data(team.id, 'GET', '/api-tokens')
    assert.deepEqual(
      [listed.name, listed.is_yours, listed.connection, listed.last_used_at !== null],
      ['Robot', true, { resource: 'api', access: 'write' }, true],
    )
    assert.deepEqual((await connections.auditOf(team.id, team.owner)).slice(0, 2), [
      [team.owner.name, 'api', 'createContact', 'Ops'],
      [team.owner.name, 'dashboard', 'connectProgram', 'Robot'],
    ])
  })

  it('keeps no key in the database, and none in what it prints', async () => {
    const { tokens, code } = await connections.connect()
    const secrets = [tokens.access_token, tokens.refresh_token ?? '', code]
    const stored = await storedText(service.services.db, 'tokens', 'oauth_codes', 'oauth_refresh_tokens')
    for (const secret of secrets) {
      assert.ok(!stored.includes(secret) && !service.output().includes(secret))
      assert.ok(stored.includes(hashToken(secret).toString('hex')))
    }
  })

  it('is good at the one place it was let into', async () => {
    const team = await connections.people.team()
    const browser = await connections.browserOf(team.owner)
    const known = await connections.connect()
    const url = await known.program.begin()
    assert.equal(url, null, 'its refresh token is enough')
    const asked = known.program.provider.asked as URL
    asked.searchParams.set('resource', `${connections.site}/mcp`)
    const verifier = 'v'.repeat(43)
    asked.searchParams.set('code_challenge', hashToken(verifier).toString('base64url'))
    const page = await browser.open(asked.href)
    const { location } = await browser.submit(page, {
      team: String(team.id),
      access: 'read',
      decision: 'allow',
    })
    const code = codeIn(location)
    const form = { ...exchangeForm(known), code, code_verifier: verifier }
    const elsewhere = await connections.ask('/oauth/token', {
      ...form,
      resource: `${connections.site}/api/v1`,
    })
    assert.deepEqual([elsewhere.status, elsewhere.body.error], [400, 'invalid_target'])
    const { body } = await connections.ask('/oauth/token', { ...form, resource: `${connections.site}/mcp/` })
    assert.equal(body.scope, 'read')
    const refused = await service.call(body.access_token, 'GET', '/team')
    assertProblem(refused, 401)
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer')
    const [listed] = await team.owner.data(team.id, 'GET', '/api-tokens')
    assert.deepEqual(listed.connection, { resource: 'mcp', access: 'read' })
  })

  it('that may only read sees what a viewer sees, and is told what to ask for when it writes', async () => {
    const { person, teamId, tokens } = await connections.connect('owner', 'read')
    assert.equal(tokens.scope, 'read')
    await person.data(teamId, 'POST', '/notification-contacts', CONTACT)
    const { body } = await service.call(tokens.access_token, 'GET', '/notification-contacts')
    const slack = body.data.find(({ type }: { type: string }) => type === 'slack')
    assert.equal(slack.config.webhook_url, 'https://hooks.example.com/********')
    const refused = await service.call(tokens.access_token, 'POST', '/notification-contacts', CONTACT)
    assertProblem(refused, 403)
    assert.equal(
      refused.headers.get('www-authenticate'),
      `Bearer error="insufficient_scope", scope="read write", resource_metadata="${connections.site}/.well-known/oauth-protected-resource/api/v1"`,
    )
  })

  it('acts with the role that its person has now', async () => {
    const { person, teamId, tokens } = await connections.connect('admin')
    assert.equal(
      await connections.statusOf(tokens.access_token, 'POST', '/notification-contacts', CONTACT),
      201,
    )
    await accounts.addMember(service.services, { team: teamId, email: person.email, role: 'viewer' })
    const refused = await service.call(tokens.access_token, 'POST', '/notification-contacts', CONTACT)
    assertProblem(refused, 403)
    assert.equal(refused.headers.get('www-authenticate'), null)
    assert.equal(await connections.statusOf(tokens.access_token), 200)
  })

  it('may only read for a viewer, who sees it in the dashboard and ends it', async () => {
    const { person, teamId, tokens } = await connections.connect('viewer')
    assert.equal(tokens.scope, 'read')
    const [listed] = await person.data(teamId, 'GET', '/api-tokens')
    assert.deepEqual(listed.connection, { resource: 'api', access: 'read' })
    assert.equal((await person.ask(teamId, 'DELETE', `/api-tokens/${listed.id}`)).status, 204)
    assert.equal(await connections.statusOf(tokens.access_token), 401)
  })

  it('renews its token by the official SDK, which ends the one before', async () => {
    const grant = await connections.connect()
    const { access_token: before } = grant.tokens
    const ofGrant = { token_hash: hashToken(before) }
    await changeRows(service.services.db, 'tokens', ofGrant, { access_expires_at: ago(1_000) })
    assert.equal(await connections.statusOf(before), 401)
    assert.equal(await grant.program.begin(), null)
    const { tokens } = grant.program.provider.kept
    assert.notEqual(tokens?.refresh_token, grant.tokens.refresh_token)
    assert.equal(await connections.statusOf(tokens?.access_token ?? ''), 200)
    assert.equal((await grant.person.data(grant.teamId, 'GET', '/api-tokens')).length, 1)
  })

  it('is ended when a refresh token comes a second time', async () => {
    const grant = await connections.connect()
    const renewed = await connections.ask('/oauth/token', refreshForm(grant))
    assert.equal(renewed.status, 200)
    assert.equal(renewed.headers.get('cache-control'), 'no-store')
    const again = await connections.ask('/oauth/token', refreshForm(grant))
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
    assert.equal(await connections.statusOf(renewed.body.access_token), 401)
    const form = { ...refreshForm(grant), refresh_token: renewed.body.refresh_token }
    assert.equal((await connections.ask('/oauth/token', form)).body.error, 'invalid_grant')
    const [entry] = await connections.auditOf(grant.teamId, grant.person)
    assert.deepEqual(entry, [grant.person.name, 'api', 'endStolenConnection', 'Robot'])
  })

  it('gets one token for a code, and loses it when the code comes again', async () => {
    const grant = await connections.connect()
    const again = await connections.ask('/oauth/token', exchangeForm(grant))
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
    assert.equal(await connections.statusOf(grant.tokens.access_token), 401)
    assert.equal((await connections.ask('/oauth/token', refreshForm(grant))).body.error, 'invalid_grant')
  })

  it('is not let in twice by two that come at once', async () => {
    const [one, other] = [await connections.connect(), await connections.connect()]
    const renewals = await Promise.all([0, 1, 2].map(() => connections.ask('/oauth/token', refreshForm(one))))
    assert.deepEqual(renewals.map(({ status }) => status).sort(), [200, 400, 400])
    const { body } = renewals.find(({ status }) => status === 200) ?? {}
    assert.equal(await connections.statusOf(body.access_token), 401)

    const ofOther = { code_hash: hashToken(other.code) }
    await changeRows(service.services.db, 'oauth_codes', ofOther, { token_id: null })
    const exchanges = await Promise.all(
      [0, 1, 2].map(() => connections.ask('/oauth/token', exchangeForm(other))),
    )
    assert.deepEqual(exchanges.map(({ status }) => status).sort(), [200, 400, 400])
    const given = exchanges.find(({ status }) => status === 200)?.body
    assert.equal(await connections.statusOf(given.access_token), 401)
  })

  const ENDS: [what: string, end: (grant: Grant) => Promise<unknown>][] = [
    [
      'it is revoked in the dashboard',
      async ({ person, teamId }) => {
        const [{ id }] = await person.data(teamId, 'GET', '/api-tokens')
        assert.equal((await person.ask(teamId, 'DELETE', `/api-tokens/${id}`)).status, 204)
      },
    ],
    [
      'its person changes the password',
      async ({ person }) => {
        const body = { current_password: PASSWORD, password: 'another long password' }
        assert.equal((await person.send('POST', '/auth/password', body)).status, 204)
      },
    ],
    [
      'its person leaves the team',
      async ({ person, teamId }) =>
        assert.equal((await person.ask(teamId, 'POST', '/team/leave')).status, 204),
    ],
    [
      'it gives it up itself',
      async ({ tokens, program }) => {
        const client_id = program.provider.kept.client?.client_id ?? ''
        const { status } = await connections.ask('/oauth/revoke', {
          token: tokens.refresh_token ?? '',
          client_id,
        })
        assert.equal(status, 200)
      },
    ],
  ]
  for (const [what, end] of ENDS) {
    it(`works no more when ${what}`, async () => {
      const grant = await connections.connect('admin')
      assert.equal(await connections.statusOf(grant.tokens.access_token), 200)
      await end(grant)
      assert.equal(await connections.statusOf(grant.tokens.access_token), 401)
      const refused = await connections.ask('/oauth/token', refreshForm(grant))
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
    })
  }

  it('gets nothing for a code that was allowed before the password changed', async () => {
    const grant = await connections.connect('admin')
    const browser = await connections.browserOf(grant.person)
    const asked = grant.program.provider.asked as URL
    const page = await browser.open(asked.href)
    const fields = { team: String(grant.teamId), access: 'read', decision: 'allow' }
    const { location } = await browser.submit(page, fields)
    const body = { current_password: PASSWORD, password: 'another long password' }
    assert.equal((await grant.person.send('POST', '/auth/password', body)).status, 204)
    const code = codeIn(location)
    const refused = await connections.ask('/oauth/token', { ...exchangeForm(grant), code })
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
    assert.equal((await browser.submit(page, fields)).status, 303, 'that browser is signed out')
  })
})
