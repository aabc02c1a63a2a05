import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { ADDRESS_KINDS, type AddressKind } from '../../src/net/address-policy.ts'

const SRC = resolve(import.meta.dirname, '../../src')

/** Calls that open a connection, send a packet, or ask for a name, by this project's functions and by those below them. */
const DIALS =
  /\b(?:dial|requestOnce|resolveTarget|askWhois|postJson|(?:with|open)DnsQuestions|createTransport)\(|\bsecure\((?!\))|\bconnect(?:Securely)?\(\s*current,|\b(?:net|tls|https?)\.(?:connect|createConnection|request|get)\(|\bcreateSocket\(|\bsendto\(|(?<![.\w])fetch\(|\bResolver\(|\bdns\.(?:promises\.)?(?:lookup|resolve)\w*\(|\bpg\.(?:Client|Pool)\(|\bnew (?:WebSocket|EventSource|Socket)\(/
/** How a call says the kind of its address. */
const SAYS = /(?:\bkind: |\bkind = |\bresolveTarget\(\s*[^,]+,\s*)'([^']+)'/g

/** Passes a kind on that its caller says. */
const PASSED_ON: AddressKind[] = []

/**
 * Every file that dials, with the kinds of its addresses (src/net/address-policy.ts). A new place belongs here, and whoever
 * adds it says who gave the address.
 */
const PLACES: Record<string, AddressKind[]> = {
  'alerts/discord.ts': ['contact'],
  'alerts/email.ts': ['mail server'],
  'alerts/googlechat.ts': ['contact'],
  'alerts/gotify.ts': ['contact'],
  'alerts/incoming-webhook.ts': ['contact'],
  'alerts/json-post.ts': PASSED_ON,
  'alerts/mail/notice.ts': ['subscriber'],
  'alerts/matrix.ts': ['contact'],
  'alerts/ntfy.ts': ['contact'],
  'alerts/pagerduty.ts': ['vendor API'],
  'alerts/pushover.ts': ['vendor API'],
  'alerts/sms.ts': ['vendor API'],
  'alerts/telegram.ts': ['vendor API'],
  'alerts/webhook.ts': ['contact'],
  'alerts/webpush.ts': ['push service'],
  'net/dial.ts': PASSED_ON,
  'net/http-request.ts': PASSED_ON,
  'net/proxy/page-proxy.ts': PASSED_ON,
  'net/proxy/tunnel.ts': ['check'],
  'net/tls/tls.ts': PASSED_ON,
  'net/whois.ts': ['registry'],
  'probes/brokers/ask-broker.ts': ['redirect of a check'],
  'probes/browser/browser.ts': ['check'],
  'probes/connect.ts': PASSED_ON,
  'probes/databases/mongodb-members.ts': ['check'],
  'probes/dns/dns-over-https.ts': ['check'],
  'probes/dns/dns.ts': ['check', 'resolver'],
  'probes/docker.ts': ['check'],
  'probes/follow-redirects.ts': ['check', 'redirect of a check'],
  'probes/grpc/grpc.ts': ['check'],
  'probes/icmp.ts': ['check'],
  'probes/incidents/connections.ts': ['check'],
  'probes/incidents/look.ts': ['check'],
  'probes/lines/conversation.ts': ['check'],
  'probes/packets/by-packets.ts': ['check'],
  'probes/packets/game.ts': ['check'],
  'probes/packets/sip.ts': ['check'],
  'probes/pages/ask-page.ts': PASSED_ON,
  'probes/pages/given-host.ts': ['crawled site', 'found by a crawl'],
  'probes/reach.ts': ['check'],
  'probes/signing-in/oauth2.ts': ['check'],
  'probes/sites/certificate.ts': ['check'],
  'probes/sites/domain.ts': ['registry'],
  'probes/sites/zone.ts': ['name server of a zone'],
  'probes/ssl.ts': ['check'],
  'probes/tcp.ts': ['check'],
  'probes/tls-port.ts': ['check'],
  'registries.ts': ['registry'],
  'roles/oauth-client-metadata.ts': ['client description'],
}

/** Files that dial without a judge, with the kinds of their addresses and why that is right. */
const UNJUDGED: Record<string, { kinds: AddressKind[]; why: string }> = {
  'cli/client/http-client.ts': {
    kinds: ['service elsewhere'],
    why: 'the address is an argument of a command',
  },
  'net/local/local-socket.ts': {
    kinds: ['check'],
    why: 'a socket of this machine that the operator lists by its path (DOCKER_SOCKETS)',
  },
  'net/names/dns-records.ts': {
    kinds: ['resolver', 'name server of a zone'],
    why: 'zone.ts has judged servers of a zone; the others are those of this machine',
  },
  'net/names/name-server.ts': { kinds: ['resolver'], why: 'the name servers of this machine' },
  'net/names/txt-records.ts': { kinds: ['resolver'], why: 'the name servers of this machine' },
  'net/network.ts': { kinds: ['resolver'], why: "the system's resolver; resolve.ts judges what it finds" },
  'net/packets.ts': {
    kinds: ['check', 'resolver'],
    why: 'probes/packets/by-packets.ts and probes/dns/dns.ts have judged the address; other name servers are those of this machine',
  },
  'net/own-trouble.ts': { kinds: ['check'], why: 'a UDP socket that sends nothing, to a judged address' },
  'operations/sign-in/oidc-provider.ts': {
    kinds: ['identity provider'],
    why: 'OIDC_ISSUER, and its documents',
  },
  'postgres/database.ts': { kinds: ['database'], why: 'DATABASE_URL' },
  'postgres/embedded/connect.ts': { kinds: ['database'], why: 'a socket in a directory' },
  'postgres/server-route.ts': { kinds: ['database'], why: 'DATABASE_URL' },
  'probes/exchange.ts': { kinds: ['check', 'found by a crawl'], why: 'over a socket that was dialled' },
  'probes/icmp/libc.ts': { kinds: ['check'], why: 'the binding of sendto(2)' },
  'probes/icmp/socket.ts': {
    kinds: ['check'],
    why: 'to addresses that thread-checks.ts has resolved and judged',
  },
  'probes/incidents/names.ts': {
    kinds: ['resolver'],
    why: 'the name servers of this machine; zone.ts asks no server that it finds',
  },
  'probes/sites/dns.ts': { kinds: ['name server of a zone'], why: 'to servers that zone.ts has judged' },
  'remote/service-link.ts': { kinds: ['service elsewhere'], why: 'UPBEAT_URL' },
  'roles/http-server.ts': { kinds: [], why: 'its own server' },
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((path) => ({ path, text: withoutComments(readFileSync(join(SRC, path), 'utf8')) }))

function withoutComments(text: string): string {
  return text.replace(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/\bfunction \w+\(/g, 'function (')
}

test('every place that dials is listed with the kinds of its addresses', () => {
  const dialling = sources.filter(({ text }) => DIALS.test(text)).map(({ path }) => path)
  assert.deepEqual(dialling.sort(), [...Object.keys(PLACES), ...Object.keys(UNJUDGED)].sort())
})

test('each place says the kinds that it is listed with', () => {
  const isKind = (text: string): text is AddressKind => (ADDRESS_KINDS as string[]).includes(text)
  for (const { path, text } of sources) {
    const listed = PLACES[path]
    if (!listed) continue
    const said = [...text.matchAll(SAYS)].map(([, kind = '']) => kind).filter(isKind)
    assert.deepEqual([...new Set(said)].sort(), [...listed].sort(), path)
  }
})

test('every kind has a place', () => {
  const used = new Set(
    [...Object.values(PLACES), ...Object.values(UNJUDGED).map(({ kinds }) => kinds)].flat(),
  )
  assert.deepEqual([...used].sort(), [...ADDRESS_KINDS].sort())
})

test('the setting is handed on, and policies are made by the table alone', () => {
  for (const { path, text } of sources) {
    const isJudge = path === 'net/address-policy.ts'
    if (!isJudge) assert.doesNotMatch(text, /\bas AddressPolicy\b|\bprivateTargets(?:: '| ===)/, path)
    for (const [, options] of text.matchAll(/\bcreateNetwork\((\{[^}]*\})\)/g))
      assert.match(options ?? '', /privateTargets: config\.privateTargets/, path)
    // Sockets of this machine are for checks alone, and listed by the operator alone.
    if (/\bsockets: config\b|\bdockerSockets\b/.test(text))
      assert.ok(['config.ts', 'roles/services.ts', 'roles/thread-checks.ts'].includes(path), path)
  }
})
