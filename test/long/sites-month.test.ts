// npm test leaves this out: it lives through ten days of looks at a site (a minute of a core).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { watchSite } from '../support/sites/month.ts'

const DAYS = 10
const MINUTE_MS = 60_000
/** Looks of these days: home page and DNS each 5 minutes, the certificate each hour, the domain and the links each day. */
const LEAST_LOOKS = DAYS * (288 + 288 + 24 + 1 + 1) * 0.99

describe('a site whose answers fail one time in a hundred, with rotating addresses', () => {
  test('tells nothing in ten days; then a changed MX within 10 minutes, with before and after', async (t) => {
    const site = await watchSite(t, 1)
    try {
      await site.passDays(DAYS)
      assert.ok(site.looks >= LEAST_LOOKS, `${site.looks} looks`)
      assert.deepEqual(await site.told(), [])
      assert.deepEqual(new Set(Object.values(await site.statuses())), new Set(['up']))
      site.changeMail(['10 mail.elsewhere.com'])
      const changedMs = site.nowMs
      while ((await site.told()).length === 0) {
        assert.ok(site.nowMs - changedMs < 10 * MINUTE_MS, 'not told within 10 minutes')
        await site.pass(MINUTE_MS)
      }
      await site.passDays(1)
      assert.deepEqual(await site.told(), [
        'site.degraded DNS: MX changed from 10 mail.shop.com to 10 mail.elsewhere.com',
      ])
    } finally {
      await site.close()
    }
  })
})
