// npm test leaves this out: it signs in wrongly until each limit is reached, and each time hashes a password (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { hashToken } from '../../../../../src/store/teams/tokens.ts'
import { holdWindow, windowOf } from '../../../../support/records/rate-limit-windows.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { createQuickAccount } from '../../../../support/services/quick-account.ts'
import { type Browser, clientAddress, openBrowser } from '../../../../support/sign-in/cookie-browser.ts'
import { codeOf } from '../../../../support/sign-in/totp.ts'

const PASSWORD = 'a long password'

describe('a client that tries to sign in', () => {
  let service: AskedService
  let people = 0
  let networks = 0

  before(async () => {
    service = await apiService()
  })

  async function newEmail(): Promise<string> {
    const email = `limited${++people}@example.com`
    await createQuickAccount(service.services, { email, name: 'Limited', password: PASSWORD })
    return email
  }

  const tryAs = async (email: string, password: string, address: string, browser?: Browser, code?: string) =>
    (browser ?? openBrowser(service.url)).send(
      'POST',
      '/auth/sign-in',
      { email, password, code },
      { 'x-forwarded-for': address },
    )

  const statusOf = async (...tried: Parameters<typeof tryAs>) => (await tryAs(...tried)).status

  const accountKey = (email: string) => `failing-account:${hashToken(email.toLowerCase()).toString('hex')}`
  const pairKey = (email: string, network: string) =>
    `failing-pair:${network} ${hashToken(email.toLowerCase()).toString('hex')}`

  it('is let through ten times wrong for an account from an address, known or not, and others go on', async () => {
    for (const email of [await newEmail(), 'nobody-tried@example.com']) {
      const address = clientAddress()
      const statuses = []
      for (let i = 0; i < 11; i++) {
        const answer = await tryAs(i % 2 ? email : email.toUpperCase(), 'wrong', address)
        if (i === 0) await holdWindow(service, pairKey(email, address))
        statuses.push(answer.status)
        if (i === 10) assert.ok(Number(answer.headers.get('retry-after')) > 0)
      }
      assert.deepEqual(statuses, [...Array(10).fill(401), 429])
      assert.equal((await windowOf(service, accountKey(email))).used, 10, 'what is refused is no try')
      const isKnown = email.startsWith('limited')
      assert.equal(await statusOf(email, PASSWORD, clientAddress()), isKnown ? 204 : 401)
    }
  })

  it('is not slowed down by being right, however often', async () => {
    const email = await newEmail()
    const address = clientAddress()
    for (let i = 0; i < 12; i++) assert.equal(await statusOf(email, PASSWORD, address), 204)
    assert.equal((await windowOf(service, pairKey(email, address))).used, 0)
    assert.equal((await windowOf(service, `failing-address:${address}`)).used, 0)
  })

  it('is let through no oftener by trying everything at once', async () => {
    const email = await newEmail()
    const address = clientAddress()
    const statuses = await Promise.all(Array.from({ length: 14 }, () => statusOf(email, 'wrong', address)))
    assert.deepEqual(statuses.sort(), [...Array(10).fill(401), ...Array(4).fill(429)])
  })

  it('is let through thirty times wrong from an address, for whomever one tries', async () => {
    const address = clientAddress()
    assert.equal(await statusOf(await newEmail(), 'wrong', address), 401)
    await holdWindow(service, `failing-address:${address}`, 29)
    assert.equal(await statusOf(await newEmail(), 'wrong', address), 401)
    assert.equal(await statusOf(await newEmail(), 'wrong', address), 429)
  })

  it('is one client in the whole /64 of an IPv6 address, and not beyond', async () => {
    const email = await newEmail()
    const network = `2001:db8:${++networks}:7`
    for (let i = 0; i < 10; i++) assert.equal(await statusOf(email, 'wrong', `${network}::${i}`), 401)
    assert.equal(await statusOf(email, 'wrong', `${network}:ffff:ffff:ffff:ffff`), 429)
    assert.equal(await statusOf(email, 'wrong', `2001:db8:${networks}:8::1`), 401)
  })

  it('that comes from everywhere locks no one out of a browser in which they had signed in', async () => {
    const email = await newEmail()
    const [home, other] = [openBrowser(service.url), openBrowser(service.url)]
    assert.equal(await statusOf(email, PASSWORD, clientAddress(), home), 204)
    assert.equal(await statusOf(await newEmail(), PASSWORD, clientAddress(), other), 204)
    const address = clientAddress()
    assert.equal(await statusOf(email, 'wrong', address), 401)
    await holdWindow(service, accountKey(email), 100)
    await holdWindow(service, `failing-address:${address}`, 30)
    await holdWindow(service, `entering-address:${address}`, 300)
    assert.equal(await statusOf(email, PASSWORD, clientAddress()), 429, 'a browser that nobody knows')
    assert.equal(
      await statusOf(email, PASSWORD, clientAddress(), other),
      429,
      'one that is known for another',
    )
    assert.equal(await statusOf(email, PASSWORD, address, home), 204)
    assert.equal((await home.send('POST', '/auth/sign-out')).status, 204)
    assert.equal(await statusOf(email, PASSWORD, address, home), 204, 'and is known when it has signed out')

    for (let i = 0; i < 10; i++) assert.equal(await statusOf(email, 'wrong', address, home), 401)
    assert.equal(await statusOf(email, 'wrong', address, home), 429, 'which is no way to try for ever')
  })

  it('with the right password is let through ten wrong codes, from wherever', async () => {
    const email = await newEmail()
    const owner = openBrowser(service.url)
    assert.equal(await statusOf(email, PASSWORD, clientAddress(), owner), 204)
    const { secret } = (await owner.send('POST', '/auth/totp', { password: PASSWORD })).body.data
    assert.equal((await owner.send('POST', '/auth/totp/confirm', { code: codeOf(secret) })).status, 200)
    const tryCode = (browser?: Browser) => statusOf(email, PASSWORD, clientAddress(), browser, 'wrong')
    for (let i = 0; i < 10; i++) assert.equal(await tryCode(), 401)
    assert.equal(await tryCode(), 429)
    assert.equal(await tryCode(owner), 401, 'the browser of its owner is counted apart')
    assert.equal((await windowOf(service, accountKey(email))).used, 10)
  })

  it('that is signed in may enter ten wrong passwords, and any number of right ones', async () => {
    const email = await newEmail()
    const browser = openBrowser(service.url)
    assert.equal(await statusOf(email, PASSWORD, clientAddress(), browser), 204)
    const prove = async (password: string) =>
      (await browser.send('POST', '/auth/passkeys/options', { password })).status
    for (let i = 0; i < 11; i++) assert.equal(await prove(PASSWORD), 200)
    for (let i = 0; i < 10; i++) assert.equal(await prove('wrong'), 422)
    assert.equal(await prove(PASSWORD), 429)
    assert.equal(await statusOf(email, PASSWORD, clientAddress()), 204, 'signing in is another matter')
  })
})
