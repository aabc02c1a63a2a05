import assert from 'node:assert/strict'
import {
  type AuthOptions,
  auth,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { AskedService } from '../services/asked-service.ts'
import { ask, type Sent } from '../services/http.ts'
import { openBrowser } from './cookie-browser.ts'

const REDIRECT = 'http://127.0.0.1:33418/callback'

/** A person's browser, which sends the consent page's form as a browser does. */
export type ConsentBrowser = {
  open(location: string, headers?: Record<string, string>): Promise<Page>
  /** Sends the form of the page that `open` showed; what is given replaces or adds fields. */
  submit(page: Page, fields: Record<string, string>, headers?: Record<string, string>): Promise<Page>
}

export type Page = { status: number; location: string | null; headers: Headers; text: string }

/** A program that connects by the helpers of the official MCP SDK. */
export type Program = {
  provider: OAuthClientProvider & { asked: URL | null; kept: Kept }
  /** Goes as far as it can without a person; resolves with where the person has to go, or null. */
  begin(scope?: string): Promise<URL | null>
  /** Goes on with the address at which the person came back. */
  finish(location: string | null): Promise<StoredOAuthTokens>
}

type Kept = {
  client?: StoredOAuthClientInformation
  tokens?: StoredOAuthTokens
  verifier?: string
  discovery?: OAuthDiscoveryState
}

let programs = 0

export function openProgram(
  resourceUrl: string,
  metadata: Partial<OAuthClientMetadata> = {},
  clientMetadataUrl?: string,
): Program {
  const kept: Kept = {}
  const provider: Program['provider'] = {
    kept,
    asked: null,
    redirectUrl: metadata.redirect_uris?.[0] ?? REDIRECT,
    clientMetadata: {
      client_name: 'Robot',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
    ...(clientMetadataUrl && { clientMetadataUrl }),
    state: () => 'the state',
    clientInformation: () => kept.client,
    saveClientInformation(client) {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens
    },
    redirectToAuthorization(url) {
      provider.asked = url
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState(state) {
      kept.discovery = state
    },
    discoveryState: () => kept.discovery,
  }
  // Each has an address of its own: registrations are limited by it.
  const address = `192.0.2.${++programs % 250}`
  const options: AuthOptions = {
    serverUrl: resourceUrl,
    fetchFn(url, init) {
      const headers = new Headers(init?.headers)
      headers.set('x-forwarded-for', address)
      return fetch(url, { ...init, headers })
    },
  }
  return {
    provider,
    async begin(scope) {
      const result = await auth(provider, { ...options, ...(scope && { scope }) })
      return result === 'REDIRECT' ? provider.asked : null
    },
    async finish(location) {
      const answer = new URL(location ?? '')
      assert.equal(answer.searchParams.get('state'), 'the state')
      const [authorizationCode, iss] = [answer.searchParams.get('code'), answer.searchParams.get('iss')]
      assert.ok(authorizationCode && iss, answer.href)
      assert.equal(await auth(provider, { ...options, authorizationCode, iss }), 'AUTHORIZED')
      return kept.tokens as StoredOAuthTokens
    },
  }
}

/** A browser in which somebody is signed in, or nobody. */
export async function openConsentBrowser(
  { services: { siteUrl } }: AskedService,
  person: { email: string; password: string } | null,
): Promise<ConsentBrowser> {
  const browser = openBrowser(siteUrl)
  if (person) {
    const { status } = await browser.send('POST', '/auth/sign-in', person)
    assert.equal(status, 204)
  }
  const send = async (location: string, sent: Sent = {}, headers = {}): Promise<Page> => {
    const url = new URL(location, siteUrl).href
    const told = await ask(url, { ...sent, headers: { cookie: browser.cookie(), ...headers } })
    return { ...told, location: told.headers.get('location') }
  }
  return {
    open: (location, headers) => send(location, {}, headers),
    submit(page, fields, headers = {}) {
      const form = new URLSearchParams(hiddenFields(page.text))
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      const sent = { origin: siteUrl, 'content-type': 'application/x-www-form-urlencoded', ...headers }
      return send('/oauth/authorize', { method: 'POST', body: form.toString() }, sent)
    },
  }
}

function hiddenFields(html: string): [string, string][] {
  const fields = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
  return [...fields].map(([, name = '', value = '']) => [plain(name), plain(value)])
}
