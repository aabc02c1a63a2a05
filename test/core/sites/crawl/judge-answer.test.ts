import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Asked, judgeAnswer } from '../../../../src/core/sites/crawl/judge-answer.ts'
import type { LinkOutcome } from '../../../../src/core/sites/link-outcome.ts'

const ADDRESS = 'https://site.example/deep/page'
const answered = (
  statusCode: number,
  changes: Partial<Asked & { kind: 'answered' }> = {},
): Asked & { kind: 'answered' } => ({
  kind: 'answered',
  statusCode,
  headers: {},
  finalAddress: ADDRESS,
  redirects: [],
  title: null,
  ...changes,
})
const movedTo = (finalAddress: string, ...redirects: number[]) => answered(200, { finalAddress, redirects })

type Case = [string, Asked, boolean, LinkOutcome['verdict'], LinkOutcome['kind']]

describe('the answer of an address', () => {
  const cases: Case[] = [
    ['200', answered(200), true, 'fine', 'ok'],
    ['204', answered(204), true, 'fine', 'ok'],
    ...[400, 404, 410, 500, 502, 503].map(
      (code): Case => [String(code), answered(code), false, 'broken', 'http_error'],
    ),
    ...[401, 403, 407, 451, 999].map(
      (code): Case => [String(code), answered(code), true, 'unjudged', 'wall'],
    ),
    ['302 without a location', answered(302), true, 'broken', 'http_error'],
    ['429', answered(429), false, 'unjudged', 'too_many_requests'],
    ['503 with Retry-After', answered(503, { headers: { 'retry-after': '9' } }), true, 'unjudged', 'wall'],
    ['503 of a wall', answered(503, { headers: { server: 'cloudflare' } }), true, 'unjudged', 'wall'],
    ['a challenge', answered(404, { headers: { 'cf-mitigated': 'challenge' } }), true, 'unjudged', 'wall'],
    ['a title that says so', answered(200, { title: 'Page Not Found | Site' }), true, 'hint', 'soft_404'],
    ['a title of another site', answered(200, { title: '404' }), false, 'fine', 'ok'],
    ['a number in a title', answered(200, { title: 'Peugeot 4045' }), true, 'fine', 'ok'],
    ['the way home', movedTo('https://site.example/', 302), true, 'hint', 'soft_404'],
    ['the way to the sign-in', movedTo('https://site.example/login?to=x', 302), true, 'hint', 'soft_404'],
    ['a move for good', movedTo('https://site.example/new', 301, 308), true, 'hint', 'redirects_for_good'],
    ['a move for now', movedTo('https://site.example/new', 301, 302), true, 'fine', 'ok'],
    ['a move of another site', movedTo('https://site.example/new', 301), false, 'fine', 'ok'],
    ['a loop', { kind: 'loop', finalAddress: ADDRESS }, true, 'broken', 'redirect_loop'],
    ['a chain', { kind: 'too_many_redirects', finalAddress: ADDRESS }, true, 'broken', 'too_many_redirects'],
    ['no host', { kind: 'no_such_host', reason: 'x' }, true, 'broken', 'no_such_host'],
    ['a certificate', { kind: 'bad_certificate', reason: 'x' }, true, 'broken', 'bad_certificate'],
    ['silence', { kind: 'no_answer', reason: 'x' }, true, 'broken', 'no_answer'],
    ['a private address', { kind: 'private_address', reason: 'x' }, true, 'unjudged', 'private_address'],
  ]
  for (const [name, asked, isOfSite, verdict, kind] of cases) {
    it(`${name} is ${verdict}: ${kind}`, () => {
      const outcome = judgeAnswer(ADDRESS, asked, isOfSite)
      assert.deepEqual([outcome.verdict, outcome.kind], [verdict, kind])
    })
  }

  it('is fine where a script of the proxy fills it in', () => {
    const address = 'https://site.example/cdn-cgi/l/email-protection#ab'
    assert.equal(judgeAnswer(address, answered(404), true).verdict, 'fine')
  })
})
