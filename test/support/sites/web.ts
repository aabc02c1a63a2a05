import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import tls from 'node:tls'
import type { Network } from '../../../src/net/network.ts'
import { atPublicAddress, reachPublicHere } from '../net/public-here.ts'
import { createAuthority, selfSigned } from '../servers/certificates.ts'
import { startDnsServer } from '../servers/dns-server.ts'
import { testNetwork } from '../servers/targets-settings.ts'
import { listenHere } from './listening.ts'

type Scope = { after: (close: () => Promise<void>) => void }

/** Responses by address without port: `https://site.example/page?x=1`; a function for those that are no plain page. */
export type Pages = Map<string, string | Responder>
export type Responder = (request: IncomingMessage, response: ServerResponse) => void

export type Arrival = { host: string; method: string; path: string; atMs: number }

export type Web = {
  network: Network
  /** The certificate of the one that all hosts trust. */
  authority: string
  /** To be filled. */
  pages: Pages
  /** With the ports that the web listens on, and without. */
  withPorts(text: string): string
  withoutPorts(text: string): string
  arrivals: Arrival[]
  /** The most connections that were open to a host at the same time. */
  mostAtOnce: Map<string, number>
}

const ADDRESS = /\b(https?):\/\/([^/\s"'<>,:]+\.example)(?=[/\s"'<>,]|$)/g

reachPublicHere()

/** Hosts below `.example` at a public address, which this process reaches on the loopback, each over both protocols. Certificates of `bad.example` are signed by nobody known. */
export async function startWeb(scope: Scope, hosts: readonly string[]): Promise<Web> {
  const pages: Pages = new Map()
  const authority = createAuthority('The authority of the web')
  const arrivals: Arrival[] = []
  const mostAtOnce = new Map<string, number>()
  const open = new Map<string, number>()
  const contexts = new Map(
    hosts.map((host) => {
      const leaf = { commonName: host, names: [host] }
      return [
        host,
        tls.createSecureContext(host === 'bad.example' ? selfSigned(leaf) : authority.issue(leaf)),
      ]
    }),
  )
  const counted = new WeakSet<Socket>()
  function count(key: string, socket: Socket) {
    if (counted.has(socket)) return
    counted.add(socket)
    const now = (open.get(key) ?? 0) + 1
    open.set(key, now)
    mostAtOnce.set(key, Math.max(mostAtOnce.get(key) ?? 0, now))
    socket.once('close', () => open.set(key, (open.get(key) ?? 1) - 1))
  }
  const answer = (scheme: string) => (request: IncomingMessage, response: ServerResponse) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    const key = `${scheme}://${host}`
    arrivals.push({
      host: key,
      method: request.method ?? '',
      path: request.url ?? '',
      atMs: performance.now(),
    })
    count(key, request.socket)
    const page = pages.get(`${key}${request.url}`)
    if (page === undefined) response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>Nothing here')
    else if (typeof page === 'function') page(request, response)
    else response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(withPorts(page))
  }
  const plain = http.createServer(answer('http'))
  const secure = https.createServer(
    {
      ...authority.issue({}),
      SNICallback: (name, done) => done(null, contexts.get(name)),
    },
    answer('https'),
  )
  const ports = { http: await listenHere(scope, plain), https: await listenHere(scope, secure) }
  const withPorts = (text: string) =>
    text.replace(ADDRESS, (_, scheme: 'http' | 'https', host) => `${scheme}://${host}:${ports[scheme]}`)
  const resolver = await startDnsServer(
    scope,
    Object.fromEntries(hosts.map((host) => [host, [atPublicAddress('127.0.0.1')]])),
  )
  return {
    pages,
    authority: authority.pem,
    network: testNetwork({ nameServers: [resolver.address], extraAuthorities: [authority.pem] }),
    withPorts,
    withoutPorts: (text) =>
      text.replaceAll(new RegExp(`(\\.example):(?:${ports.http}|${ports.https})\\b`, 'g'), '$1'),
    arrivals,
    mostAtOnce,
  }
}
