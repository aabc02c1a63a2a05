// A place of a run of own trouble: every address of the world, or of the local network, in a network namespace of its
// own. Its parent tells it how the name servers are, and which addresses answer with an error.
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { type Reply, startDnsServer } from '../../support/servers/dns-server.ts'

export type Mood = 'well' | 'SERVFAIL' | 'REFUSED' | 'NXDOMAIN' | 'silence'

export type Settings = {
  /** Where name servers listen. */
  nameServers: string[]
  names: Record<string, string[]>
  /** Those that they answer for however they are. */
  ownNames: Record<string, string[]>
  webPort: number
  tcpPort: number
}

export type Order = { moods: Mood[]; failing: string[] }

const settings = JSON.parse(process.argv[2] ?? '') as Settings
let order: Order = { moods: settings.nameServers.map(() => 'well'), failing: [] }

// It ends with its parent.
const scope = { after: () => {} }
for (const [i, address] of settings.nameServers.entries()) {
  const replyTo = (name: string): Reply => {
    const own = settings.ownNames[name]
    if (own) return own
    const mood = order.moods[i] ?? 'well'
    if (mood !== 'well') return mood
    return name === '' ? [] : (settings.names[name] ?? 'NXDOMAIN')
  }
  await startDnsServer(scope, new Proxy({}, { get: (_, name) => replyTo(String(name)) }), {
    address,
    port: 53,
  })
}

const web = http.createServer((request, response) => {
  const isFailing = order.failing.includes(request.socket.localAddress?.replace('::ffff:', '') ?? '')
  response.writeHead(isFailing ? 503 : 200, { connection: 'close' }).end()
})
await once(web.listen(settings.webPort, '::'), 'listening')

const plain = net.createServer((socket) => socket.on('error', () => {}).end())
await once(plain.listen(settings.tcpPort, '::'), 'listening')

process.on('message', (told: Order) => {
  order = told
  process.send?.('done')
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
