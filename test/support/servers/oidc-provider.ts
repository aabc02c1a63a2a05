import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Scope } from '../scope.ts'

export const CLIENT = { id: 'upbeat', secret: 'the secret: of/the client' }

const KEY_ID = 'k1'

/** One for all providers of a process: to make it takes longer than most tests. */
let keys: { publicKey: KeyObject; privateKey: KeyObject } | undefined

/** The person who signs in at the provider, by the names of its claims. */
export type Person = { sub: string; email?: string; email_verified?: unknown; name?: string }

/** How it behaves; each part can be made wrong. */
export type Manner = {
  /** Claims that replace or add to those of the ID token. */
  claims: Record<string, unknown>
  key: KeyObject
  /** Tells the address and the name only when asked once more. */
  hasSilentToken: boolean
  /** The person does not want to. */
  declines: boolean
  /** Replaces the answer to every request. */
  answer: ((response: ServerResponse) => void) | null
}

export type OidcTestProvider = {
  issuer: string
  person: Person
  manner: Partial<Manner>
  /** Follows the redirect of a browser: signs in, and resolves with the address it is sent back to. */
  visit(location: string): Promise<URL>
}

type Grant = { person: Person; nonce: string; challenge: string; redirectUri: string }

/** A provider of identities (OpenID Connect) on the loopback, strict about what it is asked; gone after the test. */
export async function startOidcProvider(scope: Scope, port = 0): Promise<OidcTestProvider> {
  keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { publicKey, privateKey } = keys
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, Person>()
  const server = createServer((request, response) => {
    if (provider.manner.answer) return provider.manner.answer(response)
    const url = new URL(request.url ?? '', provider.issuer)
    const page = pages[url.pathname]
    if (!page) return send(response, 404, {})
    page(url.searchParams, request, response).catch((error) => send(response, 500, { error: String(error) }))
  })

  type Page = (query: URLSearchParams, request: IncomingMessage, response: ServerResponse) => Promise<void>
  const pages: Record<string, Page> = {
    '/.well-known/openid-configuration': async (_query, _request, response) =>
      send(response, 200, {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        userinfo_endpoint: `${provider.issuer}/userinfo`,
        jwks_uri: `${provider.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
    '/jwks': async (_query, _request, response) => {
      const key = { ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' }
      send(response, 200, { keys: [key] })
    },
    '/authorize': async (query, _request, response) => {
      const asked = Object.fromEntries(query)
      const { client_id, response_type, scope, code_challenge_method, redirect_uri = '' } = asked
      const isRight =
        client_id === CLIENT.id &&
        response_type === 'code' &&
        code_challenge_method === 'S256' &&
        scope?.split(' ').includes('openid') &&
        asked.state &&
        asked.nonce &&
        asked.code_challenge
      if (!isRight) return send(response, 400, asked)
      const code = randomBytes(16).toString('base64url')
      const { nonce = '', code_challenge: challenge = '', state = '' } = asked
      grants.set(code, { person: provider.person, nonce, challenge, redirectUri: redirect_uri })
      const back = new URL(redirect_uri)
      const said = provider.manner.declines ? { error: 'access_denied', state } : { code, state }
      for (const [name, value] of Object.entries(said)) back.searchParams.set(name, value)
      response.writeHead(302, { location: back.href }).end()
    },
    '/token': async (_query, request, response) => {
      const form = new URLSearchParams(await text(request))
      const [id = '', secret = ''] = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64')
        .toString()
        .split(':')
        .map(formDecode)
      if (id !== CLIENT.id || secret !== CLIENT.secret)
        return send(response, 401, { error: 'invalid_client' })
      const grant = grants.get(form.get('code') ?? '')
      grants.delete(form.get('code') ?? '')
      const isProven =
        grant &&
        form.get('grant_type') === 'authorization_code' &&
        form.get('redirect_uri') === grant.redirectUri &&
        sha256(form.get('code_verifier') ?? '') === grant.challenge
      if (!isProven) return send(response, 400, { error: 'invalid_grant' })
      const accessToken = randomBytes(16).toString('base64url')
      tokens.set(accessToken, grant.person)
      send(response, 200, { access_token: accessToken, token_type: 'Bearer', id_token: idToken(grant) })
    },
    '/userinfo': async (_query, request, response) => {
      const person = tokens.get(request.headers.authorization?.split(' ')[1] ?? '')
      send(response, person ? 200 : 401, person ?? {})
    },
  }

  function idToken({ person, nonce }: Grant): string {
    const { claims, key = privateKey, hasSilentToken } = provider.manner
    const iat = Math.floor(Date.now() / 1_000)
    const told = hasSilentToken ? { sub: person.sub } : person
    const payload = { iss: provider.issuer, aud: CLIENT.id, iat, exp: iat + 300, nonce, ...told, ...claims }
    const signed = [{ alg: 'RS256', kid: KEY_ID }, payload].map(encode).join('.')
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const provider: OidcTestProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    person: { sub: 'nobody' },
    manner: {},
    async visit(location) {
      const answer = await fetch(location, { redirect: 'manual' })
      return new URL(answer.headers.get('location') ?? `about:blank?${await answer.text()}`)
    },
  }
  return provider
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('base64url')
}

/** The two parts of Basic are encoded as a form is (RFC 6749, section 2.3.1). */
function formDecode(value: string): string {
  return decodeURIComponent(value.replaceAll('+', ' '))
}
