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

/** Answers to robots that browsers may never get, and answers through the same proxies that are meant. */
function walls(): Case[] {
  const of = (code: number, headers: Record<string, string>, finalAddress = ADDRESS) =>
    answered(code, { headers, finalAddress })
  const rows: [number, Record<string, string>, LinkOutcome['verdict']][] = [
    [404, { 'cf-mitigated': 'challenge' }, 'unjudged'],
    [202, { 'x-amzn-waf-action': 'challenge' }, 'unjudged'],
    [405, { 'x-amzn-waf-action': 'captcha' }, 'unjudged'],
    [405, {}, 'broken'],
    [202, {}, 'fine'],
    [202, { 'sg-captcha': 'challenge' }, 'unjudged'],
    [400, { 'x-vercel-mitigated': 'deny' }, 'unjudged'],
    [400, { 'x-datadome': 'protected' }, 'broken'],
    [400, { 'x-dd-b': '1' }, 'unjudged'],
    [400, { 'x-kpsdk-ct': 'x' }, 'unjudged'],
    [500, { 'x-sucuri-block': '1' }, 'unjudged'],
    [415, { server: 'imunify360-webshield/1.21' }, 'unjudged'],
    [404, { 'x-datadome': 'protected' }, 'broken'],
    [404, { 'x-datadome-cid': 'x' }, 'broken'],
    [404, { server: 'cloudflare' }, 'broken'],
    [521, { server: 'cloudflare' }, 'broken'],
    [200, { 'x-kpsdk-ct': 'x' }, 'fine'],
  ]
  const social: [number, string, LinkOutcome['verdict']][] = [
    [400, 'https://www.facebook.com/someone', 'unjudged'],
    [400, 'https://www.instagram.com/someone/', 'unjudged'],
    [405, 'https://x.com/someone', 'unjudged'],
    [404, 'https://www.facebook.com/nobody', 'broken'],
    [500, 'https://www.facebook.com/someone', 'broken'],
    [400, 'https://notfacebook.com/someone', 'broken'],
    [400, 'https://facebook.com.example/someone', 'broken'],
  ]
  const kinds = { unjudged: 'wall', broken: 'http_error', fine: 'ok', hint: 'soft_404' } as const
  return [
    ...rows.map(
      ([code, headers, verdict]): Case => [
        `${code} with ${JSON.stringify(headers)}`,
        of(code, headers),
        true,
        verdict,
        kinds[verdict],
      ],
    ),
    ...social.map(
      ([code, address, verdict]): Case => [
        `${code} of ${address}`,
        of(code, {}, address),
        false,
        verdict,
        kinds[verdict],
      ],
    ),
  ]
}

describe('the answer of an address', () => {
  const cases: Case[] = [
    ['200', answered(200), true, 'fine', 'ok'],
    ['204', answered(204), true, 'fine', 'ok'],
    ...[400, 404, 410, 500, 502, 503].map(
      (code): Case => [String(code), answered(code), false, 'broken', 'http_error'],
    ),
    ...[401, 402, 403, 406, 407, 412, 418, 426, 451, 999].map(
      (code): Case => [String(code), answered(code), true, 'unjudged', 'wall'],
    ),
    ['302 without a location', answered(302), true, 'broken', 'http_error'],
    ['429', answered(429), false, 'unjudged', 'too_many_requests'],
    ['503 with Retry-After', answered(503, { headers: { 'retry-after': '9' } }), true, 'unjudged', 'wall'],
    ['503 of a wall', answered(503, { headers: { server: 'cloudflare' } }), true, 'unjudged', 'wall'],
    ['a title that says so', answered(200, { title: 'Page Not Found | Site' }), true, 'hint', 'soft_404'],
    ['a title of another site', answered(200, { title: '404' }), false, 'fine', 'ok'],
    ['the way home', movedTo('https://site.example/', 302), true, 'hint', 'soft_404'],
    ['the way to the sign-in', movedTo('https://site.example/login?to=x', 302), true, 'hint', 'soft_404'],
    ['a move for good', movedTo('https://site.example/new', 301, 308), true, 'hint', 'redirects_for_good'],
    ['a move for now', movedTo('https://site.example/new', 301, 302), true, 'fine', 'ok'],
    ['a move of another site', movedTo('https://site.example/new', 301), false, 'fine', 'ok'],
    ['a loop', { kind: 'loop', finalAddress: ADDRESS, setsCookies: false }, true, 'broken', 'redirect_loop'],
    [
      'a chain',
      { kind: 'too_many_redirects', finalAddress: ADDRESS, setsCookies: false },
      true,
      'broken',
      'too_many_redirects',
    ],
    [
      'a loop that sets cookies',
      { kind: 'loop', finalAddress: ADDRESS, setsCookies: true },
      true,
      'unjudged',
      'wall',
    ],
    [
      'a chain that sets cookies',
      { kind: 'too_many_redirects', finalAddress: ADDRESS, setsCookies: true },
      true,
      'unjudged',
      'wall',
    ],
    ...walls(),

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

  const titles: [string, boolean][] = [
    ['404', true],
    ['Error 404', true],
    ['404 Not Found', true],
    ['HTTP 404 – Hotel', true],
    ['404 – Seite nicht gefunden', true],
    ['Page Not Found | Site', true],
    ['Oops! Page not found', true],
    ['Site: Not found', true],
    ['The page you requested could not be found', true],
    ['Die Seite wurde nicht gefunden - Site', true],
    ['Page introuvable', true],
    ['Room 404 – Hotel', false],
    ['Zimmer 404 | Hotel', false],
    ['Peugeot 404', false],
    ['Peugeot 4045', false],
    ['HTTP 404 explained', false],
    ['How to fix 404 errors', false],
    ['Lost and not found: a novel', false],
    ['Apartment 404, 2 rooms', false],
    ['Route 404 - Map', false],
  ]
  for (const [title, isMissing] of titles) {
    it(`${isMissing ? 'says' : 'does not say'} that the page is missing: ${title}`, () => {
      assert.equal(judgeAnswer(ADDRESS, answered(200, { title }), true).kind, isMissing ? 'soft_404' : 'ok')
    })
  }

  it('is fine where a script of the proxy fills it in', () => {
    const address = 'https://site.example/cdn-cgi/l/email-protection#ab'
    assert.equal(judgeAnswer(address, answered(404), true).verdict, 'fine')
  })
})
