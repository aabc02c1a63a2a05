import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openEchoSockets } from '../../../src/probes/icmp/echo.ts'
import type { Arrival } from '../../../src/probes/icmp/socket.ts'
import { traceRoute } from '../../../src/probes/incidents/route.ts'
import {
  type EchoReaction,
  type EchoRequest,
  fakeSocket,
  reply,
  unreachable,
} from '../../support/probing/fake-echo.ts'

const NEVER = new AbortController().signal

/** A way of routers, `null` for one that does not answer, to a target that answers behind the last. */
async function traced(target: string, routers: (string | null)[], answers: boolean) {
  const react = (request: EchoRequest): EchoReaction => {
    if (request.nth > routers.length) return answers ? { arrivals: [reply(request)] } : {}
    const router = routers[request.nth - 1]
    return router ? { arrivals: [{ ...unreachable(request, target), from: router } satisfies Arrival] } : {}
  }
  const sockets = openEchoSockets(fakeSocket(react))
  try {
    return await traceRoute(sockets, target, NEVER)
  } finally {
    sockets.close()
  }
}

const cases = [
  {
    name: 'tells each router, and leaves out inner ones on the way to a public target',
    target: '193.0.14.129',
    routers: ['10.0.0.1', '198.41.0.4', null],
    answers: true,
    hops: ['inner', '198.41.0.4', null, '193.0.14.129'],
  },
  {
    name: 'tells inner ones on the way to an inner target',
    target: '10.9.9.9',
    routers: ['10.0.0.1'],
    answers: true,
    hops: ['10.0.0.1', '10.9.9.9'],
  },
  {
    name: 'ends at the last router that answers, once',
    target: '198.41.0.4',
    routers: ['199.7.91.13', '199.7.83.42', '199.7.83.42', '199.7.83.42'],
    answers: false,
    hops: ['199.7.91.13', '199.7.83.42'],
  },
]
for (const { name, target, routers, answers, hops } of cases) {
  it(`a route ${name}`, async () => {
    const route = await traced(target, routers, answers)
    if (route.kind !== 'asked') throw new Error(route.reason)
    assert.deepEqual(
      route.hops.map(({ address }) => address),
      hops,
    )
    assert.equal(route.isReached, answers)
  })
}

it('a route is not traced where this machine lets nobody send such requests', async () => {
  const sockets = openEchoSockets(() => ({ kind: 'absent', reason: 'not permitted' }))
  assert.deepEqual(await traceRoute(sockets, '198.41.0.4', NEVER), {
    kind: 'not asked',
    reason: 'not permitted',
  })
})
