import type { Scope } from '../support/scope.ts'
import { type Reply, startDnsServer } from '../support/servers/dns-server.ts'
import { startHttp, startTcp } from '../support/servers/targets.ts'
import { testNetwork, timeoutsFor } from '../support/servers/targets-settings.ts'
import type { Case, Group, Started } from './case.ts'

const NAME = 'shop.example'

/** A web target whose name is answered for like this; other names do not exist. */
function named(replies: Record<string, Reply>): Case['start'] {
  return async (scope) => {
    const dns = await startDnsServer(scope, replies)
    const network = testNetwork({ nameServers: [dns.address], nameServerTimeouts: timeoutsFor(replies) })
    return { settings: { url: `http://${NAME}/` }, network, saidAll: dns.rootAnswered }
  }
}

/** A name that leads to an address which must not be connected to. */
async function inside(scope: Scope): Promise<Started> {
  const target = await startTcp(scope)
  const dns = await startDnsServer(scope, { [NAME]: ['127.0.0.1'] })
  return {
    settings: { url: `http://${NAME}:${target.port}/` },
    network: testNetwork({ nameServers: [dns.address], privateTargets: 'deny' }),
    targets: [target],
  }
}

export const names: Group = {
  title: 'Names',
  cases: [
    {
      name: 'The name does not exist (NXDOMAIN)',
      type: 'http',
      status: 'down',
      cause: `name not found: ${NAME}`,
      start: named({}),
    },
    {
      name: 'The name has no address',
      type: 'http',
      status: 'down',
      cause: `no address for ${NAME}`,
      start: named({ [NAME]: [] }),
    },
    {
      name: 'The name is an alias (CNAME) for one that does not exist',
      type: 'http',
      status: 'down',
      cause: `name not found: ${NAME}`,
      start: named({ [NAME]: { alias: 'gone.example', rcode: 'NXDOMAIN' } }),
    },
    {
      name: 'The name is an alias (CNAME) for one without an address',
      type: 'http',
      status: 'down',
      cause: `no address for ${NAME}`,
      start: named({ [NAME]: { alias: 'empty.example', rcode: 'NOERROR' } }),
    },
    {
      name: 'The name servers fail for this name (SERVFAIL)',
      type: 'http',
      status: 'down',
      cause: `name server failed for ${NAME} (SERVFAIL)`,
      start: named({ [NAME]: 'SERVFAIL' }),
    },
    {
      name: 'The name servers refuse this name (REFUSED)',
      type: 'http',
      status: 'down',
      cause: `name server failed for ${NAME} (REFUSED)`,
      start: named({ [NAME]: 'REFUSED' }),
    },
    {
      name: 'The name servers are silent about this name only',
      type: 'http',
      status: 'down',
      cause: 'no answer within <limit> s (looking up the name)',
      atLimit: true,
      start: named({ [NAME]: 'silence' }),
    },
    {
      name: 'Our name servers fail for every name',
      type: 'http',
      status: 'pending',
      cause: 'our name servers fail for every name (SERVFAIL)',
      start: named({ [NAME]: 'SERVFAIL', '': 'SERVFAIL' }),
    },
    {
      name: 'Our name servers refuse every name',
      type: 'http',
      status: 'pending',
      cause: 'our name servers fail for every name (REFUSED)',
      start: named({ [NAME]: 'REFUSED', '': 'REFUSED' }),
    },
    {
      name: 'The first of two name servers fails for every name, and the other works',
      type: 'http',
      status: 'up',
      cause: null,
      start: async (scope) => {
        const target = await startHttp(scope, (_, response) => response.end())
        const sick = await startDnsServer(scope, { [NAME]: 'SERVFAIL', '': 'SERVFAIL' })
        const well = await startDnsServer(scope, { [NAME]: ['127.0.0.1'] })
        const network = testNetwork({ nameServers: [sick.address, well.address] })
        return { settings: { url: `http://${NAME}:${target.port}/` }, network, targets: [target] }
      },
    },
    {
      name: 'Our name servers are silent about every name',
      type: 'http',
      status: 'pending',
      cause: 'no name server of ours answers',
      atLimit: true,
      start: named({ [NAME]: 'silence', '': 'silence' }),
    },
    {
      name: 'None of our name servers is there',
      type: 'http',
      status: 'pending',
      cause: 'no name server of ours answers',
      start: async () => ({ settings: { url: `http://${NAME}/` }, network: testNetwork() }),
    },
    {
      name: 'The name leads to a private address where those are denied',
      type: 'http',
      status: 'down',
      cause: 'address 127.0.0.1 is not allowed',
      start: inside,
    },
    {
      name: 'The name leads to a multicast address',
      type: 'http',
      status: 'down',
      cause: 'address 224.0.0.1 never answers (multicast)',
      start: named({ [NAME]: ['224.0.0.1'] }),
    },
    {
      name: 'The name leads to a broadcast address',
      type: 'http',
      status: 'down',
      cause: 'address 255.255.255.255 never answers (broadcast)',
      start: named({ [NAME]: ['255.255.255.255'] }),
    },
    {
      name: 'The name leads to the broadcast address of a network of ours',
      type: 'tcp',
      status: 'down',
      cause: 'address 127.255.255.255 never answers (broadcast)',
      start: async (scope) => {
        const started = await named({ [NAME]: ['127.255.255.255'] })(scope)
        return { ...started, settings: { url: `tcp://${NAME}`, port: 80 } }
      },
    },
    {
      name: "The name leads to a cloud's metadata address",
      type: 'http',
      status: 'down',
      cause: 'address 169.254.169.254 is not allowed',
      start: named({ [NAME]: ['169.254.169.254'] }),
    },
  ],
}
