import { X509Certificate } from 'node:crypto'
import type { TlsOptions } from 'node:tls'
import type { Scope } from '../support/scope.ts'
import {
  createAuthority,
  type Leaf,
  type ServerCertificate,
  selfSigned,
} from '../support/servers/certificates.ts'
import { startHttps, startSaying, startTcp, startTls, type Target } from '../support/servers/targets.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'
import { at, type Case, type Group, type Started } from './case.ts'

const root = createAuthority('Upbeat Test Root')
const intermediate = root.issueAuthority('Upbeat Test Intermediate')
const expiredIntermediate = root.issueAuthority('Upbeat Old Intermediate', { validForDays: -1 })
const stranger = createAuthority('Somebody Else')
const network = testNetwork({ extraAuthorities: [root.pem] })
const names = ['localhost', '127.0.0.1']

async function secured(target: Promise<Target>): Promise<Started> {
  return { ...at(await target, 'https'), network, authority: root.pem }
}

function serving(certificate: () => ServerCertificate, options: TlsOptions = {}) {
  return (scope: Scope) => secured(startTls(scope, { ...certificate(), ...options }))
}

function issued(leaf: Leaf): Case['start'] {
  return serving(() => root.issue({ commonName: 'shop.example', names, ...leaf }))
}

function withChain(leaf: ServerCertificate, ...above: string[]): ServerCertificate {
  return { key: leaf.key, cert: leaf.cert + above.join('') }
}

export const certificates: Group = {
  title: 'TLS and certificates',
  cases: [
    {
      name: 'The certificate has expired',
      type: 'ssl',
      status: 'down',
      cause: 'certificate expired 3 days ago (CN=shop.example)',
      start: issued({ validForDays: -3.5 }),
    },
    {
      name: 'The certificate is not valid yet',
      type: 'ssl',
      status: 'down',
      cause: 'certificate is not valid until <date> (CN=shop.example)',
      start: async (scope) => {
        const certificate = root.issue({ commonName: 'shop.example', names, validFromDays: 40 })
        const date = new X509Certificate(certificate.cert).validFromDate.toISOString().slice(0, 10)
        return { ...(await serving(() => certificate)(scope)), words: { date } }
      },
    },
    {
      name: 'The certificate is for another host',
      type: 'ssl',
      status: 'down',
      cause: 'certificate is for other.example, not 127.0.0.1',
      start: issued({ names: ['other.example'] }),
    },
    {
      name: 'The certificate names no host, only a common name',
      type: 'ssl',
      status: 'down',
      cause: 'certificate names no host (only CN=shop.example)',
      start: issued({ names: [] }),
    },
    {
      name: 'The key of the certificate is too weak',
      type: 'ssl',
      status: 'down',
      cause: 'certificate key is too weak: RSA of 1024 bits (CN=shop.example)',
      start: serving(() => root.issue({ commonName: 'shop.example', rsaBits: 1_024 }), {
        ciphers: 'DEFAULT@SECLEVEL=0',
      }),
    },
    {
      name: 'The certificate has signed itself',
      type: 'ssl',
      status: 'down',
      cause: 'certificate is self-signed (CN=shop.example)',
      start: serving(() => selfSigned({ commonName: 'shop.example' })),
    },
    {
      name: 'The authority is not trusted',
      type: 'ssl',
      status: 'down',
      cause: 'certificate chain is incomplete or its authority is not trusted (CN=shop.example)',
      start: serving(() => stranger.issue({ commonName: 'shop.example' })),
    },
    {
      name: 'The intermediate certificate is missing',
      type: 'ssl',
      status: 'down',
      cause: 'certificate chain is incomplete or its authority is not trusted (CN=shop.example)',
      start: serving(() => intermediate.issue({ commonName: 'shop.example' })),
    },
    {
      name: 'The same server with its intermediate certificate',
      type: 'ssl',
      status: 'up',
      cause: null,
      start: serving(() => withChain(intermediate.issue({ commonName: 'shop.example' }), intermediate.pem)),
    },
    {
      name: 'The intermediate certificate has expired',
      type: 'ssl',
      status: 'down',
      cause: 'certificate is not trusted: a certificate above it has expired (CN=shop.example)',
      start: serving(() =>
        withChain(expiredIntermediate.issue({ commonName: 'shop.example' }), expiredIntermediate.pem),
      ),
    },
    {
      name: 'The certificate is for any name of a domain, and this one has an underscore',
      type: 'ssl',
      status: 'up',
      cause: null,
      start: async (scope) => {
        const target = await startTls(scope, root.issue({ names: ['*.shop.localhost'] }))
        const url = `https://a_b.shop.localhost:${target.port}/`
        return { settings: { url }, targets: [target], network, authority: root.pem }
      },
    },
    {
      name: 'The certificate expires in 5 days, warning from 14',
      type: 'ssl',
      status: 'degraded',
      cause: 'certificate expires in 5 days',
      start: issued({ validForDays: 5.5 }),
    },
    {
      name: 'Any of these faults, of a page',
      type: 'http',
      status: 'down',
      cause: 'certificate is self-signed (CN=shop.example)',
      start: serving(() => selfSigned({ commonName: 'shop.example' })),
    },
    {
      name: 'The server speaks only TLS 1.0 and 1.1',
      type: 'ssl',
      status: 'down',
      cause: 'TLS handshake failed: the server accepts no version of TLS from 1.2 on',
      start: serving(() => root.issue({}), {
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      }),
    },
    {
      name: 'The handshake stalls',
      type: 'ssl',
      status: 'down',
      cause: 'no answer within <limit> s (TLS handshake)',
      atLimit: true,
      start: async (scope) => {
        const greeted = Promise.withResolvers<void>()
        const target = startTcp(scope, (socket) => socket.once('data', () => greeted.resolve()))
        return { ...(await secured(target)), saidAll: () => greeted.promise }
      },
    },
    {
      name: 'The server hangs up during the handshake',
      type: 'ssl',
      status: 'down',
      cause: 'TLS handshake failed: the connection was closed',
      start: (scope) => secured(startSaying(scope, '')),
    },
    {
      name: 'The server does not speak TLS',
      type: 'ssl',
      status: 'down',
      cause: 'TLS handshake failed: the answer is not TLS',
      start: (scope) => secured(startSaying(scope, 'HTTP/1.1 400 Bad Request\r\n\r\n')),
    },
    {
      name: 'The server asks for a client certificate',
      type: 'http',
      status: 'down',
      cause: 'TLS handshake failed: the server asks for a client certificate',
      start: serving(() => root.issue({}), { requestCert: true, rejectUnauthorized: true, ca: [root.pem] }),
    },
    {
      name: 'The same over TLS 1.2, which has no word of its own for it',
      type: 'ssl',
      status: 'down',
      cause: 'TLS handshake failed: the server asks for a client certificate',
      start: serving(() => root.issue({}), {
        requestCert: true,
        rejectUnauthorized: true,
        ca: [root.pem],
        maxVersion: 'TLSv1.2',
      }),
    },
    {
      name: 'The server speaks TLS where the URL says http, and hangs up',
      type: 'http',
      status: 'down',
      cause: 'no HTTP here: <address> speaks TLS (https)',
      start: async (scope) => at(await startTls(scope, root.issue({}))),
    },
    {
      name: 'The same, with an alert',
      type: 'http',
      status: 'down',
      cause: 'no HTTP here: <address> speaks TLS (https)',
      start: async (scope) => at(await startSaying(scope, Buffer.from('15030100020216', 'hex'))),
    },
    {
      name: 'A page over good TLS that never answers',
      type: 'http',
      status: 'down',
      cause: 'no answer within <limit> s (connected, waiting for the first byte)',
      atLimit: true,
      start: async (scope) => {
        const asked = Promise.withResolvers<void>()
        const target = startHttps(scope, root.issue({}), () => asked.resolve())
        return { ...(await secured(target)), saidAll: () => asked.promise }
      },
    },
  ],
}
