import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  crawlAddress,
  isOfSite,
  MAX_ADDRESS_LENGTH,
  matchesPattern,
  shapeOf,
} from '../../../../src/core/sites/crawl/address.ts'

describe('an address of a crawl', () => {
  const BASE = 'https://site.example/a/b?c=1'
  const written: [string, string | null][] = [
    ['x', 'https://site.example/a/x'],
    [' /x \n', 'https://site.example/x'],
    ['#top', 'https://site.example/a/b?c=1'],
    ['//other.example./x', 'https://other.example/x'],
    ['HTTPS://Site.Example:443/', 'https://site.example/'],
    ['http://site.example:80/', 'http://site.example/'],
    ['https://ada:secret@site.example/', 'https://site.example/'],
    ['/x?utm_source=a&b=2&gclid=3', 'https://site.example/x?b=2'],
    ['/x?PHPSESSID=1', 'https://site.example/x'],
    ['/x;jsessionid=A1?b=2', 'https://site.example/x?b=2'],
    ['/straße', 'https://site.example/stra%C3%9Fe'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['mailto:a@b.example', null],
    ['javascript:void(0)', null],
    ['data:text/plain,x', null],
    ['http://', null],
    ['https://exa mple/', null],
    [`/${'x'.repeat(MAX_ADDRESS_LENGTH)}`, null],
  ]
  for (const [link, address] of written) {
    it(`of ${JSON.stringify(link.slice(0, 60))} is ${address}`, () => {
      assert.equal(crawlAddress(link, BASE)?.href ?? null, address)
    })
  }

  const parts: [string, boolean][] = [
    ['https://site.example/x', true],
    ['http://site.example/x', true],
    ['https://www.site.example/x', true],
    ['https://blog.site.example/', false],
    ['https://site.example:8443/', false],
    ['https://notsite.example/', false],
  ]
  for (const [address, isPart] of parts) {
    it(`${address} is ${isPart ? '' : 'no '}part of a site`, () => {
      assert.equal(isOfSite(new URL(address), new URL('https://site.example/')), isPart)
    })
  }

  const patterns: [string, boolean][] = [
    ['https://site.example/cart/1', true],
    ['https://site.example/*', true],
    ['*/cart/*', true],
    ['*', true],
    ['*/1', true],
    ['*cart*1*', true],
    ['/cart/1', false],
    ['*/cart', false],
    ['*/cart/1*1', false],
    ['*.*.*.*.*', false],
  ]
  for (const [pattern, isMatch] of patterns) {
    it(`${isMatch ? 'matches' : 'does not match'} ${pattern}`, () => {
      assert.equal(matchesPattern('https://site.example/cart/1', pattern), isMatch)
    })
  }

  it('has the shape of others that differ by numbers and values', () => {
    const shape = (address: string) => shapeOf(new URL(address))
    assert.equal(
      shape('https://site.example/2026/01?day=1&view=x'),
      shape('https://site.example/1999/12?view=y&day=30'),
    )
    assert.notEqual(shape('https://site.example/a?day=1'), shape('https://site.example/b?day=1'))
    assert.notEqual(shape('https://site.example/a?day=1'), shape('https://site.example/a?month=1'))
  })
})
