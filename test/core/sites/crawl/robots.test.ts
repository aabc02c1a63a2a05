import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRobots } from '../../../../src/core/sites/crawl/robots.ts'

const ADDRESS = 'https://site.example/robots.txt'
const read = (body: string, statusCode: number | null = 200, contentType = 'text/plain') =>
  readRobots(ADDRESS, { statusCode, contentType, body })

describe('robots.txt', () => {
  const rules: [string, string, boolean][] = [
    ['', '/a', true],
    ['User-agent: *\nDisallow: /a', '/a/b', false],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/x.pdf', false],
    ['User-agent: *\nDisallow: /\n\nUser-agent: upbeatbot\nAllow: /', '/a', true],
    ['User-agent: Other\nDisallow: /', '/a', true],
    ['User-agent: *\nDisallow:', '/a', true],
  ]
  for (const [body, path, isAllowed] of rules) {
    it(`${isAllowed ? 'allows' : 'forbids'} ${path}: ${JSON.stringify(body)}`, () => {
      assert.equal(read(body)?.allows(`https://site.example${path}`), isAllowed)
    })
  }

  const FORBIDDEN = 'User-agent: *\nDisallow: /'
  const answers: [string, ReturnType<typeof read>, boolean | null][] = [
    ['404', read(FORBIDDEN, 404), true],
    ['403', read(FORBIDDEN, 403), true],
    ['500', read(FORBIDDEN, 500), null],
    ['429', read(FORBIDDEN, 429), null],
    ['no answer', read('', null), null],
    ['a page by its type', read(FORBIDDEN, 200, 'text/html'), true],
    ['a page by its text', read(`<!DOCTYPE html>\n${FORBIDDEN}`), true],
  ]
  for (const [name, robots, isAllowed] of answers) {
    it(`${name}: ${isAllowed === null ? 'nothing may be crawled now' : 'forbids nothing'}`, () => {
      assert.equal(robots?.allows('https://site.example/a') ?? null, isAllowed)
    })
  }

  const delays: [string, number][] = [
    ['2.5', 2.5],
    ['900', 900],
    ['-1', 0],
    ['soon', 0],
  ]
  for (const [written, seconds] of delays) {
    it(`has a crawl delay: ${written} is ${seconds}`, () => {
      assert.equal(read(`User-agent: *\nCrawl-delay: ${written}`)?.crawlDelaySeconds, seconds)
    })
  }

  it('names sitemaps', () => {
    const named = read('Sitemap: https://site.example/a.xml\nsitemap: https://site.example/b.xml')?.sitemaps
    assert.deepEqual(named, ['https://site.example/a.xml', 'https://site.example/b.xml'])
  })
})
