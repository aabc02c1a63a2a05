import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { it } from 'node:test'
import { Refusal } from '../../../src/core/errors.ts'
import { createOidcProvider } from '../../../src/operations/sign-in/oidc-provider.ts'
import { startHttp } from '../../support/servers/targets.ts'

for (const place of ['another origin', 'the same origin'])
  it(`a provider that redirects to ${place} is refused, and nothing there is asked for`, async (t) => {
    const asked: string[] = []
    const answer = (name: string) => (request: IncomingMessage, response: ServerResponse) => {
      asked.push(`${name} ${request.url}`)
      const port = place === 'another origin' ? other.port : provider.port
      response.writeHead(302, { location: `http://127.0.0.1:${port}/moved` }).end()
    }
    const other = await startHttp(t, answer('other'))
    const provider = await startHttp(t, answer('provider'))
    const issuer = `http://127.0.0.1:${provider.port}`
    const notes: string[] = []
    const { begin } = createOidcProvider(
      { issuer, clientId: 'upbeat', clientSecret: 'a secret', name: 'Example' },
      { now: () => new Date(), note: (failure) => notes.push(failure), timeoutSeconds: 60 },
    )
    await assert.rejects(begin('https://upbeat.example/auth/oidc/callback'), Refusal)
    assert.deepEqual(asked, ['provider /.well-known/openid-configuration'])
    assert.equal(notes.length, 1)
  })
