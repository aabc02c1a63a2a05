import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { atPublicAddress, reachPublicHere } from '../support/net/public-here.ts'
import type { Scope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort, startHttp, startHttps } from '../support/servers/targets.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'
import { at, type Case, type Group, type Started } from './case.ts'

reachPublicHere()

const root = createAuthority('Upbeat Test Root')

const redirectTo =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end()

/** `/3` leads to `/2`, that to `/1`, and that to the page. */
const countdown: RequestListener = (request, response) => {
  const left = Number(request.url?.slice(1))
  if (left > 0) response.writeHead(302, { location: `/${left - 1}` })
  response.end()
}

/** A wish to change something, which is passed on by nobody to another server. */
async function postElsewhere(scope: Scope): Promise<Started> {
  const other = await startHttp(scope, (_, response) => response.end())
  const origin = `http://127.0.0.1:${other.port}`
  const first = await startHttp(scope, (_, response) =>
    response.writeHead(307, { location: `${origin}/orders` }).end(),
  )
  const { settings } = at(first)
  return {
    settings: { ...settings, http_method: 'POST' },
    targets: [first, other],
    words: { origin },
    afterwards: () => assert.equal(other.accepted(), 0),
  }
}

function leadingTo(location: string): Case['start'] {
  return async (scope) => at(await startHttp(scope, redirectTo(location)))
}

async function downgrade(scope: Scope): Promise<Started> {
  const plain = await startHttp(scope, (_, response) => response.end())
  const certificate = root.issue({})
  const secure = await startHttps(scope, certificate, redirectTo(`http://127.0.0.1:${plain.port}/`))
  return {
    ...at(secure, 'https'),
    network: testNetwork({ extraAuthorities: [root.pem] }),
    authority: root.pem,
    targets: [secure, plain],
  }
}

/** From a server on the internet. */
async function toPrivate(scope: Scope, options: Parameters<typeof testNetwork>[0]): Promise<Started> {
  const inside = await startHttp(scope, (_, response) => response.end())
  const location = `http://127.0.0.1:${inside.port}/`
  const outside = await startHttp(scope, redirectTo(location), '127.0.0.2')
  return {
    settings: { url: atPublicAddress(`http://127.0.0.2:${outside.port}/`) },
    network: testNetwork(options),
    targets: [outside, inside],
    afterwards: () => assert.equal(inside.accepted(), options?.privateRedirects === 'allow' ? 1 : 0),
  }
}

/** From a server of a private network to its neighbour. */
async function amongPrivate(scope: Scope): Promise<Started> {
  const inside = await startHttp(scope, (_, response) => response.end(), '127.0.0.2')
  const first = await startHttp(scope, redirectTo(`http://127.0.0.2:${inside.port}/`))
  return { ...at(first), targets: [first, inside] }
}

/** Sends whoever has no cookie to fetch one, and lets in whoever comes back with it. */
const wantsCookie: RequestListener = (request, response) => {
  if (request.headers.cookie !== 'seen=1')
    response.writeHead(302, { location: '/', 'set-cookie': 'seen=1; Path=/' })
  response.end()
}

/** From a host whose certificate expires soon to one whose does not. */
async function fromOldCertificate(scope: Scope): Promise<Started> {
  const next = await startHttps(scope, root.issue({ validForDays: 60.5 }), (_, response) => response.end())
  const location = `https://127.0.0.1:${next.port}/`
  const first = await startHttps(scope, root.issue({ validForDays: 5.5 }), redirectTo(location))
  return {
    ...at(first, 'https'),
    network: testNetwork({ extraAuthorities: [root.pem] }),
    authority: root.pem,
    targets: [first, next],
  }
}

export const redirects: Group = {
  title: 'Redirects',
  cases: [
    {
      name: 'A chain of 5 redirects to a page',
      type: 'http',
      status: 'up',
      cause: null,
      start: async (scope) => at(await startHttp(scope, countdown), 'http', '/5'),
    },
    {
      name: 'A chain of 6 redirects',
      type: 'http',
      status: 'down',
      cause: 'more than 5 redirects',
      start: async (scope) => at(await startHttp(scope, countdown), 'http', '/6'),
    },
    { name: 'A loop', type: 'http', status: 'down', cause: 'more than 5 redirects', start: leadingTo('/') },
    {
      name: 'A redirect that sets a cookie and needs it',
      type: 'http',
      status: 'up',
      cause: null,
      start: async (scope) => at(await startHttp(scope, wantsCookie)),
    },
    {
      name: 'The certificate of the first host expires in 5 days, that of the last in 60',
      type: 'http',
      status: 'degraded',
      cause: 'certificate expires in 5 days',
      start: fromOldCertificate,
    },
    { name: 'A downgrade from https to http', type: 'http', status: 'up', cause: null, start: downgrade },
    {
      name: 'From a public address to a private one',
      type: 'http',
      status: 'down',
      cause: 'redirects to a private address: 127.0.0.1',
      start: (scope) => toPrivate(scope, { privateTargets: 'allow' }),
    },
    {
      name: 'To a private address where those are denied',
      type: 'http',
      status: 'down',
      cause: 'redirects to a private address: 127.0.0.1',
      start: (scope) => toPrivate(scope, { privateTargets: 'deny' }),
    },
    {
      name: 'From a public address to a private one, with `PRIVATE_REDIRECTS=allow`',
      type: 'http',
      status: 'up',
      cause: null,
      start: (scope) => toPrivate(scope, { privateTargets: 'allow', privateRedirects: 'allow' }),
    },
    {
      name: 'From a private address to another',
      type: 'http',
      status: 'up',
      cause: null,
      start: amongPrivate,
    },
    {
      name: "To a cloud's metadata address",
      type: 'http',
      status: 'down',
      cause: 'address 169.254.169.254 is not allowed',
      start: leadingTo('http://169.254.169.254/latest/'),
    },
    {
      name: 'To a port where nobody listens',
      type: 'http',
      status: 'down',
      cause: 'connection refused by <address>',
      start: async (scope) => {
        const address = `127.0.0.1:${await closedPort(scope)}`
        return { ...(await leadingTo(`http://${address}/`)(scope)), words: { address } }
      },
    },
    {
      name: 'To something that is no web page',
      type: 'http',
      status: 'down',
      cause: 'redirect to an address that cannot be followed: ftp://shop.example/',
      start: leadingTo('ftp://shop.example/'),
    },
    {
      name: 'Of a POST to another origin, with 307',
      type: 'http',
      status: 'down',
      cause: 'redirects POST to another origin: <origin>',
      start: postElsewhere,
    },
    {
      name: 'Without saying where to',
      type: 'http',
      status: 'down',
      cause: 'HTTP 302 (expected 200)',
      start: async (scope) => at(await startHttp(scope, (_, response) => response.writeHead(302).end())),
    },
  ],
}
