import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sayUserAgent } from '../../dashboard/data/user-agent.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

const CASES: [string, string][] = [
  [`${MAC} ${KIT} Chrome/147.0.0.0 Safari/537.36`, 'Chrome on macOS'],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`, 'Safari on macOS'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/147.0.0.0 Safari/537.36 Edg/147.0`,
    'Edge on Windows',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${KIT} HeadlessChrome/147.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `Mozilla/5.0 (Linux; Android 16; K) ${KIT} SamsungBrowser/29.0 Chrome/136.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/147.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/147.0.0.0 Safari/537.36', 'Chrome on ChromeOS'],
  ['SomethingNew/1.0 (Windows NT 12.0)', 'A browser on Windows'],
  ['curl/8.9.1', 'curl'],
  ['', 'Unknown browser'],
]

describe('the words for a user agent', () => {
  for (const [userAgent, words] of CASES) {
    it(`call ${userAgent || 'none'} ${words}`, () => assert.equal(sayUserAgent(userAgent), words))
  }
})
