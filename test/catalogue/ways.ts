import type { Scope } from '../support/scope.ts'
import { startDnsServer } from '../support/servers/dns-server.ts'
import { closedPort, startHttp, startSaying, startTcp } from '../support/servers/targets.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'
import type { Case, Group, Started } from './case.ts'

/** Nothing is asked there: the check ends before. */
const TARGET = '127.0.0.1:9'
const URL_THERE = `http://${TARGET}/`

function through(scheme: string, answer: string | Buffer): Case['start'] {
  return async (scope) => {
    const proxy = await startSaying(scope, answer)
    const options = { proxy: `${scheme}://127.0.0.1:${proxy.port}` }
    return { settings: { url: URL_THERE, options }, targets: [proxy], words: { target: TARGET } }
  }
}

/** A server that hears the first words, and says none. */
async function startMute(scope: Scope) {
  const heard = Promise.withResolvers<unknown>()
  const server = await startTcp(scope, (socket) => socket.once('data', heard.resolve))
  return { server, saidAll: () => heard.promise }
}

/** A target that refuses all, and a server that gives out tokens. */
async function signingIn(scope: Scope, status: number, body: object): Promise<Started> {
  const provider = await startHttp(scope, (_, response) =>
    response.writeHead(status).end(JSON.stringify(body)),
  )
  const target = await startHttp(scope, (_, response) => response.writeHead(401).end())
  return { settings: settingsOf(target.port, provider.port), targets: [provider, target] }
}

function settingsOf(targetPort: number, providerPort: number): Started['settings'] {
  const token_url = `http://127.0.0.1:${providerPort}/`
  const auth = { type: 'oauth2', token_url, client_id: 'me', client_secret: 'secret' } as const
  return { url: `http://127.0.0.1:${targetPort}/`, options: { auth } }
}

export const ways: Group = {
  title: 'Proxies, name servers and tokens of a monitor',
  cases: [
    {
      name: 'Nothing listens at the address of the proxy',
      type: 'http',
      status: 'down',
      cause: 'proxy: connection refused by <address>',
      start: async (scope) => {
        const address = `127.0.0.1:${await closedPort(scope)}`
        return { settings: { url: URL_THERE, options: { proxy: `http://${address}` } }, words: { address } }
      },
    },
    {
      name: 'The address of the proxy is private where those are denied',
      type: 'http',
      status: 'down',
      cause: 'proxy: address 127.0.0.1 is not allowed',
      start: async () => ({
        settings: { url: 'http://93.184.216.34/', options: { proxy: 'http://127.0.0.1:9' } },
        network: testNetwork({ privateTargets: 'deny' }),
      }),
    },
    {
      name: 'An HTTP proxy wants another user name or password',
      type: 'http',
      status: 'down',
      cause: 'proxy: HTTP 407, asked for <target>',
      start: through('http', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    },
    {
      name: 'A SOCKS proxy cannot reach the target',
      type: 'http',
      status: 'down',
      cause: 'proxy: host unreachable, asked for <target>',
      start: through('socks5', Buffer.from([5, 0, 5, 4, 0, 1, 0, 0, 0, 0, 0, 0])),
    },
    {
      name: 'The proxy accepts, and stays silent',
      type: 'http',
      status: 'down',
      cause: 'no answer within <limit> s (connecting)',
      atLimit: true,
      start: async (scope) => {
        const { server, saidAll } = await startMute(scope)
        const options = { proxy: `socks5://127.0.0.1:${server.port}` }
        return { settings: { url: URL_THERE, options }, targets: [server], saidAll }
      },
    },
    {
      name: 'The name server of the monitor fails for the name (SERVFAIL)',
      type: 'http',
      status: 'down',
      cause: 'name server failed for shop.example (SERVFAIL)',
      start: async (scope) => {
        const { address } = await startDnsServer(scope, { 'shop.example': 'SERVFAIL', '': 'SERVFAIL' })
        return { settings: { url: 'http://shop.example/', options: { resolver: address } } }
      },
    },
    {
      name: 'The name server of the monitor is private where those are denied',
      type: 'http',
      status: 'down',
      cause: 'address 127.0.0.1 is not allowed',
      start: async () => ({
        settings: { url: 'http://shop.example/', options: { resolver: '127.0.0.1:9' } },
        network: testNetwork({ privateTargets: 'deny' }),
      }),
    },
    {
      name: 'The token server does not know the client',
      type: 'http',
      status: 'down',
      cause: 'no access token: HTTP 400 (invalid_client)',
      start: (scope) => signingIn(scope, 400, { error: 'invalid_client' }),
    },
    {
      name: 'The target refuses the token, and another one as well',
      type: 'http',
      status: 'down',
      cause: 'HTTP 401 (expected 200)',
      start: (scope) => signingIn(scope, 200, { access_token: 'token' }),
    },
    {
      name: 'The token server accepts, and stays silent',
      type: 'http',
      status: 'down',
      cause: 'no answer within <limit> s (getting an access token)',
      atLimit: true,
      start: async (scope) => {
        const { server, saidAll } = await startMute(scope)
        return { settings: settingsOf(9, server.port), targets: [server], saidAll }
      },
    },
  ],
}
