// npm test leaves this out: it signs in and hashes passwords dozens of times, and reads the mail about each (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { AccountEventKind } from '../../../src/core/accounts/account-log.ts'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { resetSecondFactor } from '../../../src/operations/sign-in/reset-second-factor.ts'
import { insertPasskey } from '../../../src/store/sign-in/passkeys.ts'
import { addRows, ago, changeRows, countRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { arrived, type SmtpReceiver } from '../../support/servers/smtp-receiver.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { startMailedService } from '../../support/services/mailed-service.ts'
import { PASSWORD, type People, type Person } from '../../support/services/people.ts'
import { openBrowser } from '../../support/sign-in/cookie-browser.ts'
import { connectionsOf } from '../../support/sign-in/oauth-connections.ts'
import { createAuthenticator } from '../../support/sign-in/passkey-authenticator.ts'
import { codeOf } from '../../support/sign-in/totp.ts'
import { until } from '../../support/until.ts'

const ANEW = 'another password'

describe('the holder of an account', () => {
  const scope = suiteScope()
  let smtp: SmtpReceiver
  let service: AskedService
  let people: People

  before(async () => {
    ;({ smtp, service, people } = await startMailedService(scope))
  })

  const logOf = async (person: Person) => (await person.send('GET', '/auth/log')).body.data
  const lettersTo = ({ email }: Person) => arrived(smtp).filter(({ to }) => to.includes(email))

  /** Does something, after which the newest entry is that one, and a letter says the same. */
  async function expectTold(
    person: Person,
    kind: AccountEventKind,
    title: RegExp,
    work: () => Promise<unknown>,
  ) {
    await work()
    const [newest] = await logOf(person)
    assert.equal(newest.kind, kind)
    const letter = await until(`a letter about ${kind}`, () =>
      lettersTo(person).find(({ headers }) => title.test(headers.get('subject') ?? '')),
    )
    return { newest, letter }
  }

  const succeed = async (answer: ReturnType<Person['send']>, status = 204) => {
    const { status: got, body } = await answer
    assert.equal(got, status, JSON.stringify(body))
    return body?.data
  }

  it('is told of passwords, second factors and passkeys, with where it was done', async () => {
    const person = await people.person()
    assert.deepEqual(await logOf(person), [])
    const change = { current_password: PASSWORD, password: ANEW }
    const { newest, letter } = await expectTold(person, 'password_changed', /password was changed/, () =>
      succeed(person.send('POST', '/auth/password', change)),
    )
    assert.deepEqual(
      [newest.detail, newest.user_agent, /^198\.18\.\d+\.\d+$/.test(newest.address)],
      [null, 'Browser of the tests', true],
    )
    assert.ok(letter.text.includes(`UTC, from ${newest.address}.`), letter.text)
    assert.ok(letter.text.includes(`${service.services.siteUrl}/account`))
    assert.ok(!letter.text.includes(ANEW))

    const { secret } = await succeed(person.send('POST', '/auth/totp', { password: ANEW }), 200)
    let codes: string[] = []
    await expectTold(person, 'authenticator_added', /app was set up/, async () => {
      const begun = await succeed(person.send('POST', '/auth/totp/confirm', { code: codeOf(secret) }), 200)
      codes = begun.recovery_codes
    })
    const proof = () => ({ password: ANEW, code: codes.pop() })
    const options = await succeed(person.send('POST', '/auth/passkeys/options', proof()), 200)
    const authenticator = createAuthenticator(service.services.siteUrl)
    const passkey = { name: 'Laptop “work”', response: authenticator.register(options) }
    let id = 0
    const added = await expectTold(person, 'passkey_added', /passkey was added/, async () => {
      id = (await succeed(person.send('POST', '/auth/passkeys', passkey), 201)).id
    })
    assert.equal(added.newest.detail, passkey.name)
    assert.ok(added.letter.text.includes(passkey.name))
    await expectTold(person, 'passkey_removed', /passkey was removed/, () =>
      succeed(person.send('DELETE', `/auth/passkeys/${id}`)),
    )
    await expectTold(person, 'recovery_codes_renewed', /codes were replaced/, async () => {
      codes = (await succeed(person.send('POST', '/auth/totp/recovery-codes', proof()), 200)).recovery_codes
    })
    await expectTold(person, 'authenticator_removed', /app was removed/, () =>
      succeed(person.send('POST', '/auth/totp/remove', proof())),
    )
  })

  it('gets entries for API tokens, made by anyone, and for programs', async () => {
    const { person, teamId } = await connectionsOf(service).connect('admin')
    const [connected] = await logOf(person)
    assert.equal(connected.kind, 'program_connected')
    const made = await expectTold(person, 'api_token_created', /API token was created/, () =>
      person.data(teamId, 'POST', '/api-tokens', { name: 'Deploys' }),
    )
    assert.equal(made.newest.detail, 'Deploys')
    await accounts.createToken(service.services, {
      team: teamId,
      email: person.email,
      name: 'By the operator',
      expires: null,
    })
    const [newest] = await logOf(person)
    assert.deepEqual([newest.detail, newest.address, newest.user_agent], ['By the operator', null, null])
  })

  it('is told of what ends by a proof of the address, and by the operator', async () => {
    const person = await people.person()
    const setByLink = async () => {
      await openBrowser(service.url).send('POST', '/auth/password-reset', { email: person.email })
      const path = await until('a link that works', async () => {
        const links = lettersTo(person).flatMap(({ text }) => /\/set-password\/\S+/.exec(text)?.[0] ?? [])
        const last = links.at(-1)
        return last && (await fetch(service.url + last)).ok ? last : false
      })
      const form = { method: 'POST', body: new URLSearchParams({ password: PASSWORD }) }
      assert.equal((await fetch(service.url + path, form)).status, 200)
      await person.signIn()
    }
    await expectTold(person, 'account_emptied', /proved for the first time/, setByLink)
    await expectTold(person, 'password_set', /new password was set/, setByLink)
    await expectTold(person, 'second_factor_reset', /operator removed/, async () => {
      await resetSecondFactor(service.services, person)
      await person.signIn()
    })
    const other = await people.person()
    await other.send('POST', '/auth/email-verification')
    await expectTold(other, 'address_confirmed', /address was confirmed/, async () => {
      const path = await until('the link', () => {
        const texts = lettersTo(other).map(({ text }) => /\/verify-email\/\S+/.exec(text)?.[0])
        return texts.find((link) => link !== undefined) ?? false
      })
      const form = {
        method: 'POST',
        body: new URLSearchParams({ mine: 'yes' }),
        headers: { cookie: other.cookie() },
      }
      assert.equal((await fetch(service.url + path, form)).status, 200)
    })
  })

  it('is mailed twenty times an hour at most, and told so; the log has all', async () => {
    const person = await people.person()
    const { db, now } = service.services
    const { id } = (await person.send('GET', '/auth/session')).body.data.user
    await changeRows(db, 'users', { id }, { email_verified_at: now() })
    const events = Array.from({ length: 25 }, (_, index) => ({
      user_id: id,
      at: ago(index < 19 ? 1_000 : 61 * 60_000),
      kind: 'passkey_added' as const,
    }))
    await addRows(db, 'account_events', events)
    const remove = async (name: string) => {
      const passkey = { userId: id, name, credentialId: name, publicKey: Buffer.of(0), counter: 0 }
      const made = await insertPasskey(db.query, { ...passkey, transports: [], createdAt: now() })
      await succeed(person.send('DELETE', `/auth/passkeys/${made}`))
    }
    await remove('the twentieth')
    await remove('the next')
    assert.equal((await logOf(person)).length, 27)
    const letter = await until('the last letter', () => lettersTo(person)[0] ?? false)
    assert.match(letter.text, /the twentieth.*last of these letters for an hour/s)
    await until('nothing waits to be sent', async () => (await countRows(db, 'letters')) === 0)
    assert.equal(lettersTo(person).length, 1)
  })

  it('cannot see another person’s log', async () => {
    const [person, other] = [await people.person(), await people.person()]
    await succeed(person.send('POST', '/auth/password', { current_password: PASSWORD, password: ANEW }))
    assert.deepEqual(await logOf(other), [])
    assert.equal((await openBrowser(service.url).send('GET', '/auth/log')).status, 401)
  })
})
