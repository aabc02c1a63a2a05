import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import {
  type Conversation,
  closeFrame,
  frameOf,
  OPCODES,
  opening,
  openingHead,
  startWebSocketServer,
} from '../support/web-sockets/web-socket-server.ts'
import type { Case, Group } from './case.ts'

/** Reads the first message. */
const READING: MonitorOptions = {
  assertions: [{ source: 'answer', comparison: 'equals', target: 'ready', severity: 'down' }],
}

function meeting(conversation: Conversation, options: MonitorOptions = {}): Case['start'] {
  return async (scope) => {
    const server = await startWebSocketServer(scope, conversation)
    return { settings: { url: `ws://127.0.0.1:${server.port}/`, options }, targets: [server] }
  }
}

const of = (name: string, cause: string, start: Case['start']): Case => ({
  ...{ name, type: 'websocket', status: 'down', cause, start },
})

/** Checks of the type `websocket`; connections, certificates and statuses fail as those of http do. */
export const webSockets: Group = {
  title: 'WebSockets',
  cases: [
    of(
      'The server answers as to any other request',
      'HTTP 200 (expected 101)',
      meeting({ onRequest: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n') }),
    ),
    of(
      'The server redirects to another address',
      'HTTP 301 (expected 101)',
      meeting({ onRequest: (socket) => socket.end('HTTP/1.1 301 Moved\r\nLocation: /new\r\n\r\n') }),
    ),
    of(
      'The answer switches to no WebSocket',
      'WebSocket: the answer has no Upgrade: websocket',
      meeting({ onRequest: (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n') }),
    ),
    of(
      'The answer is to another handshake, as one from a cache is',
      'WebSocket: the answer has a wrong Sec-WebSocket-Accept',
      meeting({ onRequest: opening({ 'Sec-WebSocket-Accept': 'x' }) }),
    ),
    of(
      'The server does not take the subprotocol that is asked for',
      'WebSocket: the server took no subprotocol (expected chat)',
      meeting({}, { subprotocol: 'chat' }),
    ),
    of(
      'The server uses an extension that was not offered',
      'WebSocket: the server took an extension that was not offered: permessage-deflate',
      meeting({ onRequest: opening({ 'Sec-WebSocket-Extensions': 'permessage-deflate' }) }),
    ),
    of(
      'The first message is another one than an assertion expects',
      'answer is "starting" (expected "ready")',
      meeting({ onRequest: opening({}, frameOf(OPCODES.text, 'starting')) }, READING),
    ),
    of(
      'The server closes before the first message that an assertion is about',
      'WebSocket: closed before the first message (1011: overloaded)',
      meeting({ onRequest: opening({}, closeFrame(1011, 'overloaded')) }, READING),
    ),
    of(
      'The connection ends before it, without a word',
      'WebSocket: connection closed before the first message',
      meeting({ onRequest: (socket, asked) => socket.end(openingHead(asked)) }, READING),
    ),
    of(
      'The server breaks the rules of frames',
      'WebSocket: invalid frame: masked, as only those of clients are',
      meeting({ onRequest: opening({}, frameOf(OPCODES.text, 'ready', { isMasked: true })) }, READING),
    ),
    of(
      'The server sends more than a check reads, and no whole message',
      'WebSocket: no message within 4,194,304 bytes',
      meeting({ onRequest: opening({}, frameOf(OPCODES.text, 'x'.repeat(3 * 1_024 * 1_024))) }, READING),
    ),
    {
      ...of(
        'The server sends no message',
        'no answer within <limit> s (waiting for the first message)',
        meeting({}, READING),
      ),
      atLimit: true,
    },
    {
      ...of(
        'The server takes the connection, and says nothing',
        'no answer within <limit> s (connected, waiting for the first byte)',
        meeting({ onRequest: () => {} }),
      ),
      atLimit: true,
    },
  ],
}
