import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { nextAnswer, nextAnswerPart, nextConnection } from '../support/servers/client-events.ts'
import { startHttp, startTcp, type Target } from '../support/servers/targets.ts'
import { check } from '../support/servers/targets-settings.ts'

type Scope = Parameters<typeof startTcp>[0]
type Type = Parameters<typeof check>[0]

/** Answers of the system when this machine lacks something, by what they are told as. */
const OURS = {
  EMFILE: 'out of file descriptors',
  ENFILE: 'out of file descriptors',
  ENOBUFS: 'out of network buffers',
  ENOMEM: 'out of memory',
}
const THEIRS = ['ECONNRESET', 'EPIPE']

type Moment = {
  types: Type[]
  protocol: 'http' | 'https'
  start(scope: Scope): Promise<Target>
  /** Resolves when the check is at that moment. */
  come(): Promise<unknown>
}

const keepsTheAnswer = (scope: Scope) => startHttp(scope, () => {})
const keepsTheBody = (scope: Scope) =>
  startHttp(scope, (_, response) => response.writeHead(200, { 'Content-Length': 99 }).flushHeaders())
const keepsTheRest = (scope: Scope) =>
  startHttp(scope, (_, response) => void response.writeHead(200, { 'Content-Length': 99 }).write('a part'))

const MOMENTS: Record<string, Moment> = {
  'while the handshake of TLS is under way': {
    types: ['http', 'keyword', 'ssl', 'docker'],
    protocol: 'https',
    start: (scope) => startTcp(scope),
    come: async () => {},
  },
  'before the head of the answer': {
    types: ['http', 'keyword', 'docker'],
    protocol: 'http',
    start: keepsTheAnswer,
    come: async () => {},
  },
  'before the body': {
    types: ['keyword', 'docker'],
    protocol: 'http',
    start: keepsTheBody,
    come: nextAnswer,
  },
  'in the middle of the body': {
    types: ['keyword', 'docker'],
    protocol: 'http',
    start: keepsTheRest,
    come: nextAnswerPart,
  },
}

describe('a check whose connection breaks', () => {
  for (const [name, { types, protocol, start, come }] of Object.entries(MOMENTS)) {
    const fails = async (scope: Scope, type: Type, code: string) => {
      const target = await start(scope)
      const connected = nextConnection()
      const coming = come()
      const place = `${protocol}://127.0.0.1:${target.port}/`
      const isOfOption = type === 'docker'
      const checked = check(type, {
        url: isOfOption ? 'docker://web' : place,
        expected_keyword: 'OK',
        ...(isOfOption && { options: { docker_host: place } }),
      })
      const socket = await connected
      await coming
      breakOff(socket, code)
      return await checked
    }

    for (const type of types)
      test(`${name}: ${type} is pending where this machine lacks something`, async (t) => {
        for (const [code, reason] of Object.entries(OURS)) {
          const { status, errorMessage } = await fails(t, type, code)
          assert.deepEqual({ status, errorMessage }, { status: 'pending', errorMessage: reason }, code)
        }
        for (const code of THEIRS) {
          const { status } = await fails(t, type, code)
          assert.equal(status, 'down', code)
        }
      })
  }
})

/** As Node does when the system refuses to read or to write. */
function breakOff(socket: Socket, code: string) {
  socket.destroy(Object.assign(new Error(`read ${code}`), { code, syscall: 'read' }))
}
