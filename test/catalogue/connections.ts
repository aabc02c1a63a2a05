import net from 'node:net'
import { resetSocket } from '../support/reset-socket.ts'
import type { Scope } from '../support/scope.ts'
import { nextConnection } from '../support/servers/client-events.ts'
import { startDnsServer } from '../support/servers/dns-server.ts'
import { startFrozen, startOverrun } from '../support/servers/frozen-server.ts'
import { closedPort, startSaying, startTcp, type Target } from '../support/servers/targets.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'
import { at, type Case, type Group, type Started } from './case.ts'

const MAX_TRIES = 5
const NAME = 'shop.example'

/** A name of these addresses, and a target that accepts on one of them. */
async function severalAddresses(scope: Scope, addresses: string[], port: number): Promise<Started> {
  const dns = await startDnsServer(scope, { [NAME]: addresses })
  return {
    settings: { url: `tcp://${NAME}`, port },
    network: testNetwork({ nameServers: [dns.address] }),
    words: Object.fromEntries(
      addresses.map((address, i) => [
        i === 0 ? 'address' : 'other address',
        net.isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`,
      ]),
    ),
  }
}

/** Resets before a byte is said: what the last server behind a load balancer does. */
const resetting: Case['start'] = async (scope) => at(await startTcp(scope, (socket) => resetSocket(socket)))

async function frozen(scope: Scope): Promise<Started> {
  const { port } = await startFrozen(scope)
  return { settings: { url: `http://127.0.0.1:${port}/`, port }, saidAll: nextConnection }
}

async function alive(scope: Scope, host: string): Promise<Target> {
  return startTcp(scope, () => {}, host)
}

/** A port that is silent on one address and accepts on another; somebody may have it on the second already. */
async function silentAndAlive(scope: Scope, silent: string, live: string): Promise<number> {
  for (let tries = 1; ; tries++) {
    const { port } = await startTcp(scope, () => {}, live)
    try {
      return (await startOverrun(scope, silent, port)).port
    } catch (error) {
      if (tries === MAX_TRIES) throw error
    }
  }
}

export const connections: Group = {
  title: 'Connections',
  cases: [
    {
      name: 'Nobody listens: refused',
      type: 'http',
      status: 'down',
      cause: 'connection refused by <address>',
      start: async (scope) => {
        const address = `127.0.0.1:${await closedPort(scope)}`
        return { settings: { url: `http://${address}/` }, words: { address } }
      },
    },
    {
      name: 'Nothing answers the SYN',
      type: 'tcp',
      status: 'down',
      cause: 'no answer within <limit> s (connecting)',
      atLimit: true,
      start: async (scope) => {
        const { port } = await startOverrun(scope)
        return { settings: { url: 'tcp://127.0.0.1', port } }
      },
    },
    {
      name: 'Reset as soon as it is accepted',
      type: 'http',
      status: 'down',
      cause: 'connection reset by <address>',
      start: resetting,
    },
    {
      name: 'Reset after the request',
      type: 'http',
      status: 'down',
      cause: 'connection reset by <address>',
      start: async (scope) =>
        at(await startTcp(scope, (socket) => socket.once('data', () => resetSocket(socket)))),
    },
    {
      name: 'Closed without an answer',
      type: 'http',
      status: 'down',
      cause: 'connection closed before the answer was complete',
      start: async (scope) => at(await startSaying(scope, '')),
    },
    {
      name: 'Half-open: the kernel accepts, the program behind it has stopped in its tracks',
      type: 'http',
      status: 'down',
      cause: 'no answer within <limit> s (connected, waiting for the first byte)',
      atLimit: true,
      start: frozen,
    },
    {
      name: 'The same, of a port that only has to accept',
      type: 'tcp',
      status: 'up',
      cause: null,
      start: frozen,
    },
    {
      name: 'One of two addresses refuses',
      type: 'tcp',
      status: 'up',
      cause: null,
      start: async (scope) => {
        const { port } = await alive(scope, '127.0.0.3')
        return severalAddresses(scope, ['127.0.0.2', '127.0.0.3'], port)
      },
    },
    {
      name: 'One of two addresses is silent',
      type: 'tcp',
      status: 'up',
      cause: null,
      start: async (scope) => {
        const port = await silentAndAlive(scope, '127.0.0.2', '127.0.0.3')
        return severalAddresses(scope, ['127.0.0.2', '127.0.0.3'], port)
      },
    },
    {
      name: '29 of 30 addresses refuse',
      type: 'tcp',
      status: 'up',
      cause: null,
      start: async (scope) => {
        const { port } = await alive(scope, '127.0.0.1')
        const dead = Array.from({ length: 29 }, (_, index) => `127.0.9.${index + 1}`)
        return severalAddresses(scope, [...dead, '127.0.0.1'], port)
      },
    },
    {
      name: 'Both addresses refuse',
      type: 'tcp',
      status: 'down',
      cause: 'connection refused by <address> and <other address>',
      start: async (scope) => severalAddresses(scope, ['::1', '127.0.0.1'], await closedPort(scope)),
    },
    {
      name: 'IPv6 refuses, IPv4 is alive',
      type: 'tcp',
      status: 'up',
      cause: null,
      start: async (scope) => {
        const { port } = await alive(scope, '127.0.0.1')
        return severalAddresses(scope, ['::1', '127.0.0.1'], port)
      },
    },
    {
      name: 'IPv6 is silent, IPv4 is alive',
      type: 'tcp',
      status: 'up',
      cause: null,
      start: async (scope) => {
        const port = await silentAndAlive(scope, '::1', '127.0.0.1')
        return severalAddresses(scope, ['::1', '127.0.0.1'], port)
      },
    },
  ],
}
