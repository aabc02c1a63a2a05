// npm test leaves this out: it needs a service with a mail server of its own, and hashes passwords (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { ago, changeRows } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'
import { arrived, type SmtpReceiver } from '../../../support/servers/smtp-receiver.ts'
import { assertInvalid, assertProblem } from '../../../support/services/api-problems.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { startMailedService } from '../../../support/services/mailed-service.ts'
import { PASSWORD, type People, type Person, peopleOf } from '../../../support/services/people.ts'
import { startServiceHere } from '../../../support/services/service-here.ts'
import { openBrowser } from '../../../support/sign-in/cookie-browser.ts'
import { codeOf } from '../../../support/sign-in/totp.ts'
import { until } from '../../../support/until.ts'

describe('another address for an account', () => {
  const scope = suiteScope()
  let smtp: SmtpReceiver
  let service: AskedService
  let people: People
  let addresses = 0

  before(async () => {
    ;({ smtp, service, people } = await startMailedService(scope))
  })

  const newAddress = () => `moved${++addresses}@example.com`
  const ask = (person: Person, email: string, more = {}) =>
    person.send('POST', '/auth/email', { email, password: PASSWORD, ...more })
  const letterTo = (email: string, subject: RegExp) =>
    until(`a letter to ${email}`, () =>
      arrived(smtp).findLast(
        ({ to, headers }) => to.includes(email) && subject.test(headers.get('subject') ?? ''),
      ),
    )
  const pathTo = async (email: string) =>
    new URL(/https?:\S+/.exec((await letterTo(email, /Use this address/)).text)?.[0] ?? '').pathname
  const submit = (path: string, cookie = '') =>
    fetch(service.url + path, {
      method: 'POST',
      body: new URLSearchParams({ mine: 'yes' }),
      headers: { cookie },
    })
  const userOf = async (person: Person) => (await person.send('GET', '/auth/session')).body.data.user
  const signIn = async (email: string) =>
    (await openBrowser(service.url).send('POST', '/auth/sign-in', { email, password: PASSWORD })).status

  it('is proved by the link that goes there, in the browser of its holder, and told to the old one', async () => {
    const person = await people.person()
    const anew = newAddress()
    assert.equal((await ask(person, anew)).status, 202)
    assert.match((await letterTo(person.email, /Another address was asked for/)).text, new RegExp(anew))
    const path = await pathTo(anew)

    const stranger = await people.person()
    await stranger.signIn()
    for (const cookie of ['', stranger.cookie()]) {
      const refused = await submit(path, cookie)
      assert.equal(refused.status, 422)
      const page = await refused.text()
      assert.ok(page.includes('Sign in first') && !page.includes(person.email), page)
    }
    assert.equal((await userOf(person)).email, person.email)

    const page = (await person.send('GET', path)).body
    assert.ok(page.includes(anew) && page.includes(person.email))
    assert.equal((await submit(path, person.cookie())).status, 200)
    const { email, is_email_verified } = await userOf(person)
    assert.deepEqual([email, is_email_verified], [anew, true])
    assert.deepEqual([await signIn(person.email), await signIn(anew)], [401, 204])
    assert.match((await letterTo(person.email, /address of your account was changed/)).text, new RegExp(anew))
    assert.equal((await submit(path, person.cookie())).status, 404)
    const kinds = (await person.send('GET', '/auth/log')).body.data.map(({ kind }: { kind: string }) => kind)
    assert.deepEqual(kinds, ['address_changed', 'address_change_asked'])
  })

  it('wants the password, and the code where there is an app', async () => {
    const person = await people.person()
    assertInvalid(await ask(person, newAddress(), { password: 'wrong' }), ['password'])
    const { secret } = (await person.send('POST', '/auth/totp', { password: PASSWORD })).body.data
    await person.send('POST', '/auth/totp/confirm', { code: codeOf(secret) })
    assertInvalid(await ask(person, newAddress()), ['code'])
    assert.equal((await ask(person, newAddress(), { code: codeOf(secret, 1) })).status, 202)
    assertInvalid(await ask(await people.person(), 'nobody'), ['email'])
    assertProblem(await openBrowser(service.url).send('POST', '/auth/email', {}), 401)
  })

  it('is answered alike when another account has it, whose holder gets a letter', async () => {
    const [person, owner] = [await people.person(), await people.person()]
    const answer = await ask(person, owner.email)
    assert.deepEqual([answer.status, answer.body], [202, ''])
    assert.match((await letterTo(owner.email, /has an account/)).text, /nothing was changed/)
    assert.equal((await userOf(owner)).email, owner.email)
  })

  it('changes nothing when another account took it meanwhile, or after an hour', async () => {
    const person = await people.person()
    const anew = newAddress()
    await ask(person, anew)
    const path = await pathTo(anew)
    await changeRows(service.services.db, 'email_links', {}, { expires_at: ago(1_000) })
    assert.equal((await submit(path, person.cookie())).status, 404)
    await changeRows(service.services.db, 'email_links', {}, { expires_at: ago(-60_000) })
    const other = await people.person()
    await changeRows(service.services.db, 'users', { email: other.email }, { email: anew.toUpperCase() })
    const taken = await submit(path, person.cookie())
    assert.equal(taken.status, 409)
    assert.equal((await userOf(person)).email, person.email)
  })

  it('ends links that went to the old one', async () => {
    const person = await people.person()
    const anew = newAddress()
    await openBrowser(service.url).send('POST', '/auth/password-reset', { email: person.email })
    const reset = /\/set-password\/\S+/.exec((await letterTo(person.email, /new password/)).text)?.[0] ?? ''
    assert.equal((await fetch(service.url + reset)).status, 200)
    await ask(person, anew)
    assert.equal((await submit(await pathTo(anew), person.cookie())).status, 200)
    assert.equal((await fetch(service.url + reset)).status, 404)
  })
})

it('another address is refused where no mail could prove it', async (t) => {
  const service = await startServiceHere({ ROLES: 'api', TRUST_PROXY: '1' })
  t.after(() => service.close())
  const person = await peopleOf(service).person()
  const answer = await person.send('POST', '/auth/email', { email: 'new@example.com', password: PASSWORD })
  assertInvalid(answer, ['email'])
})
