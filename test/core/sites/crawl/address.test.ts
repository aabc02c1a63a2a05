import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addressKey,
  crawlAddress,
  isOfHost,
  isOfSite,
  MAX_ADDRESS_LENGTH,
  matchesPattern,
  readAddress,
  shapeOf,
  siteScope,
} from '../../../../src/core/sites/crawl/address.ts'

describe('an address of a crawl', () => {
  const BASE = 'https://site.example/a/b?c=1'
  const written: [string, string | null][] = [
    ['x', 'https://site.example/a/x'],
    [' /x \n', 'https://site.example/x'],
    ['#top', 'https://site.example/a/b?c=1'],
    ['//other.example./x', 'https://other.example./x'],
    ['HTTPS://Site.Example:443/', 'https://site.example/'],
    ['http://site.example:80/', 'http://site.example/'],
    ['https://ada:secret@site.example/', 'https://site.example/'],
    ['/x?utm_source=a&b=2&gclid=3', 'https://site.example/x?utm_source=a&b=2&gclid=3'],
    ['/search?q=a%20b&utm_source=x', 'https://site.example/search?q=a%20b&utm_source=x'],
    ['/x?flag&utm_source=x', 'https://site.example/x?flag&utm_source=x'],
    ['/x?a=1+2&b=%2f&&c=~', 'https://site.example/x?a=1+2&b=%2f&&c=~'],
    ['/x;jsessionid=A1?b=2', 'https://site.example/x;jsessionid=A1?b=2'],
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

  const keys: [string, string][] = [
    ['/search?q=a%20b&utm_source=x', '/search?q=a%20b'],
    ['/search?q=a+b', '/search?q=a+b'],
    ['/x?flag&utm_source=x', '/x?flag'],
    ['/x?utm_source=x&flag', '/x?flag'],
    ['/x?utm_source=a&utm_medium=b', '/x'],
    ['/x?utm%5Fsource=a', '/x'],
    ['/x?', '/x?'],
    ['/x?a=1&a=2&', '/x?a=1&a=2&'],
    ['/file?fbclid=1&X-Signature=a%2Fb%3D&e=9', '/file?X-Signature=a%2Fb%3D&e=9'],
    ['/x?%E0%A4%A&gclid=3', '/x?%E0%A4%A'],
    ['/x?PHPSESSID=1', '/x'],
    ['/show?sid=12', '/show?sid=12'],
    ['/show?sid=news', '/show?sid=news'],
    ['/show?session_id=introduction-to-kubernetes-101', '/show?session_id=introduction-to-kubernetes-101'],
    ['/show?sid=0123456789abcdef0123456789abcdef', '/show'],
    ['/show?sid=c0ffee00-1234-4abc-8def-0123456789ab', '/show'],
    ['/show?session=q7Zr1Xv0Lk2Mn9Pb4Ts8', '/show'],
    ['/x;jsessionid=A1?b=2', '/x?b=2'],
    ['/x;sid=12/y', '/x;sid=12/y'],
    ['/x;sid=0123456789abcdef/y', '/x/y'],
    ['/x;v=1.1;jsessionid=A1', '/x;v=1.1'],
  ]
  for (const [path, key] of keys) {
    it(`is known as ${key}: ${path}`, () => {
      assert.equal(addressKey(`https://site.example${path}`), `https://site.example${key}`)
    })
  }

  it('is known without the final dot of its host, and other text as itself', () => {
    assert.equal(addressKey('https://other.example.:8443/x'), 'https://other.example:8443/x')
    assert.equal(addressKey('http://'), 'http://')
    assert.equal(
      addressKey('broken_link https://a.example/?gclid=1'),
      'broken_link https://a.example/?gclid=1',
    )
  })

  const malformed: [string, string][] = [
    ['http://', 'malformed'],
    ['https://exa mple/', 'malformed'],
    ['//exa^mple/', 'malformed'],
    ['https://site.example:99999/', 'malformed'],
    ['https://[::1/', 'malformed'],
    ['HTTPS://a%20b/', 'malformed'],
    ['mailto:', 'other'],
    ['htp://x', 'other'],
    ['x', 'address'],
    [`/${'x'.repeat(MAX_ADDRESS_LENGTH)}`, 'long'],
  ]
  for (const [link, kind] of malformed) {
    it(`is ${kind}: ${link.slice(0, 40)}`, () => assert.equal(readAddress(link, BASE).kind, kind))
  }

  const scopes: [string, string | null, string, boolean][] = [
    ['https://host.example/~ada/', null, 'https://host.example/~ada/x', true],
    ['https://host.example/~ada/', null, 'https://host.example/~ada', true],
    ['https://host.example/~ada/', null, 'https://host.example/~adam/', false],
    ['https://host.example/~ada/', null, 'https://host.example/', false],
    ['https://host.example/~ada/index.html', null, 'https://host.example/~ada/x', true],
    ['https://host.example/start', null, 'https://host.example/x', true],
    ['https://host.example/en/', 'https://host.example/fr/', 'https://host.example/fr/x', true],
    ['https://host.example/en/', 'https://host.example/en/start', 'https://host.example/fr/x', false],
    ['https://host.example/en/', 'https://other.example/', 'https://host.example/fr/x', false],
  ]
  for (const [home, leadsTo, address, isPart] of scopes) {
    it(`${address} is ${isPart ? '' : 'no '}part of ${home}${leadsTo ? `, which leads to ${leadsTo}` : ''}`, () => {
      const site = siteScope(new URL(home), leadsTo)
      assert.equal(isOfSite(new URL(address), site), isPart)
      assert.equal(isOfHost(new URL(address), site), true)
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
