import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { redirectTarget } from '../../src/core/monitors/redirect.ts'

const SRC = join(import.meta.dirname, '../../src')

/** Everything that follows redirects, and the file that works out where one leads. */
const FOLLOWERS = {
  'probes/follow-redirects.ts': 'probes/hop.ts',
  'probes/pages/ask-page.ts': 'probes/pages/ask-page.ts',
  'probes/sites/domain.ts': 'probes/sites/domain.ts',
}

describe('a redirect', () => {
  it('is followed by these alone, each to where one function says', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    const read = (file: string) => readFileSync(join(SRC, file), 'utf8')
    const found = files.filter((file) => /headers\??\.location|headers\[['"]location/i.test(read(file)))
    assert.deepEqual(found.sort(), Object.keys(FOLLOWERS))
    for (const file of Object.values(FOLLOWERS)) assert.match(read(file), /redirectTarget\(/, file)
  })

  it('leads to a URL without credentials, over HTTP alone', () => {
    const from = new URL('https://name:word@shop.example/a/b')
    const cases: [location: string, target: string | null][] = [
      ['https://user:secret@other.example/x', 'https://other.example/x'],
      ['//user@shop.example/x', 'https://shop.example/x'],
      ['c', 'https://shop.example/a/c'],
      [Buffer.from('/\u00fc').toString('latin1'), 'https://shop.example/%C3%BC'],
      ['ftp://shop.example/', null],
      ['https://', null],
    ]
    for (const [location, target] of cases)
      assert.equal(redirectTarget(location, from)?.href ?? null, target, location)
  })
})
