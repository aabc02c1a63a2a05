import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { storedText } from '../../support/records/rows.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { createQuickAccount } from '../../support/services/quick-account.ts'
import { commander } from '../../support/services/remote-command.ts'
import { type Browser, openBrowser } from '../../support/sign-in/cookie-browser.ts'
import { codeOf } from '../../support/sign-in/totp.ts'

const PASSWORD = 'a long password'

describe('an authenticator app', () => {
  let service: AskedService
  let people = 0

  before(async () => {
    service = await apiService()
  })

  async function newPerson() {
    const email = `factor${++people}@example.com`
    await createQuickAccount(service.services, { email, name: 'Person', password: PASSWORD })
    return { email, browser: await signIn(email) }
  }

  async function signIn(email: string, code?: string): Promise<Browser> {
    const browser = openBrowser(service.url)
    const answer = await browser.send('POST', '/auth/sign-in', { email, password: PASSWORD, code })
    assert.equal(answer.status, 204, JSON.stringify(answer.body))
    return browser
  }

  /** The `second_factor` in the answer to a refused sign-in. */
  async function refusal(email: string, code?: string): Promise<string> {
    const browser = openBrowser(service.url)
    const answer = await browser.send('POST', '/auth/sign-in', { email, password: PASSWORD, code })
    assert.deepEqual([answer.status, browser.cookie()], [401, ''])
    return answer.body.second_factor
  }

  /** With the app confirmed by the code of this step: the next one's is still good. */
  async function newPersonWithApp() {
    const person = await newPerson()
    const begun = await person.browser.send('POST', '/auth/totp', { password: PASSWORD })
    assert.equal(begun.status, 200)
    const { secret, uri } = begun.body.data
    const confirmed = await person.browser.send('POST', '/auth/totp/confirm', { code: codeOf(secret) })
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body))
    return { ...person, secret, uri, codes: confirmed.body.data.recovery_codes as string[] }
  }

  const usesTotp = async (browser: Browser) =>
    (await browser.send('GET', '/auth/session')).body.data.user.uses_totp

  it('counts only once one of its codes was entered, by who knows the password', async () => {
    const { email, browser } = await newPerson()
    assert.equal((await browser.send('POST', '/auth/totp', { password: 'wrong' })).status, 422)
    const { secret } = (await browser.send('POST', '/auth/totp', { password: PASSWORD })).body.data
    assert.equal((await browser.send('POST', '/auth/totp/confirm', { code: '12345' })).status, 422)
    assert.equal(
      (await browser.send('POST', '/auth/totp/confirm', { code: codeOf(secret, -20) })).status,
      422,
    )
    assert.equal(await usesTotp(browser), false)
    const other = await signIn(email)
    assert.equal((await browser.send('POST', '/auth/totp/confirm', { code: codeOf(secret) })).status, 200)
    assert.equal(await usesTotp(browser), true)
    assert.equal((await other.send('GET', '/auth/session')).status, 401, 'other sessions end')
    assert.equal((await browser.send('POST', '/auth/totp', { password: PASSWORD })).status, 422)
  })

  it('is asked for after the right password only, and takes no code twice', async () => {
    const { email, secret, uri } = await newPersonWithApp()
    assert.match(uri, new RegExp(`^otpauth://totp/Upbeat.*secret=${secret}`))
    const wrong = { email, password: 'wrong', code: codeOf(secret) }
    const answer = await openBrowser(service.url).send('POST', '/auth/sign-in', wrong)
    assert.deepEqual([answer.status, answer.body.second_factor], [401, undefined])
    assert.equal(await refusal(email), 'required')
    assert.equal(await refusal(email, codeOf(secret, -20)), 'wrong')
    const code = codeOf(secret, 1)
    await signIn(email, `${code.slice(0, 3)} ${code.slice(3)}`)
    assert.equal(await refusal(email, code), 'wrong')
  })

  it('is stood in for by each recovery code once, until there are others', async () => {
    const { email, browser, codes, secret } = await newPersonWithApp()
    assert.equal(new Set(codes).size, 10)
    const [first = '', second = '', third = ''] = codes
    await signIn(email, first.replaceAll('-', ' ').toUpperCase())
    assert.equal(await refusal(email, first), 'wrong')
    const renew = (code: string) =>
      browser.send('POST', '/auth/totp/recovery-codes', { password: PASSWORD, code })
    assert.equal((await renew('nonsense')).status, 422)
    const renewed = (await renew(second)).body.data.recovery_codes as string[]
    assert.equal(await refusal(email, third), 'wrong')
    await signIn(email, renewed[0])
    const stored = await storedText(service.services.db, 'authenticators', 'recovery_codes')
    for (const shown of [secret, ...renewed]) assert.ok(!stored.includes(shown))
  })

  it('is removed by password and code together, and its recovery codes with it', async () => {
    const { email, browser, codes, secret } = await newPersonWithApp()
    const remove = (password: string, code: string) =>
      browser.send('POST', '/auth/totp/remove', { password, code })
    assert.equal((await remove('wrong', codes[0] ?? '')).status, 422)
    assert.equal((await remove(PASSWORD, '000')).status, 422)
    assert.equal(await usesTotp(browser), true)
    assert.equal((await remove(PASSWORD, codeOf(secret, 1))).status, 204)
    assert.equal(await usesTotp(browser), false)
    await signIn(email)
    const { rows } = await service.services.db.pool.query(
      `SELECT count(*) AS left FROM recovery_codes c JOIN users u ON u.id = c.user_id WHERE u.email = $1`,
      [email],
    )
    assert.equal(rows[0].left, 0)
  })

  it('is removed by the operator for a person who has lost it, and the passkeys with it', async (t) => {
    const operator = commander(service.services)
    t.after(() => operator.close())
    const { email, browser } = await newPersonWithApp()
    const other = await newPersonWithApp()
    const { pool } = service.services.db
    await pool.query(
      `INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
       SELECT id, email, email, '\\x00', 0, '{}', now() FROM users WHERE email = ANY($1)`,
      [[email, other.email]],
    )
    const reset = (address: string, ...more: string[]) =>
      operator.run(['user', 'reset-second-factor', '--email', address, ...more])
    const { data } = await reset(email.toUpperCase(), '--json')
    assert.deepEqual(data, { user_id: data.user_id, email, removed_totp: true, removed_passkeys: 1 })
    assert.equal((await browser.send('GET', '/auth/session')).status, 401, 'its sessions end')
    await signIn(email)
    const left = await pool.query(
      `SELECT email FROM users u WHERE EXISTS (SELECT FROM passkeys WHERE user_id = u.id)
       UNION ALL SELECT email FROM users u JOIN recovery_codes c ON c.user_id = u.id WHERE u.email = $1`,
      [email],
    )
    assert.deepEqual(left.rows, [{ email: other.email }])
    assert.equal(await refusal(other.email), 'required', 'nobody else is touched')

    assert.match((await reset(email)).out, /^removed no authenticator app and 0 passkeys of /)
    const unknown = await reset('nobody@example.com')
    assert.deepEqual([unknown.status, unknown.out], [1, ''])
    assert.match(unknown.err, /^email nobody@example\.com has no account/)
  })
})
