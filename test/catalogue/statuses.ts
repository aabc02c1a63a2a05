import type { Scope } from '../support/scope.ts'
import { startHttp, startSaying, startTcp } from '../support/servers/targets.ts'
import { at, type Case, type Group, type Started } from './case.ts'

/** Answers with this, byte for byte. */
function saying(answer: string): Case['start'] {
  return async (scope) => at(await startSaying(scope, answer))
}

function status(line: string): Case['start'] {
  return saying(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`)
}

/** Allows GET only, as many frameworks do unasked. */
async function headless(scope: Scope, http_method: 'GET' | 'HEAD'): Promise<Started> {
  const target = await startHttp(scope, (request, response) => {
    response.writeHead(request.method === 'GET' ? 200 : 405).end('OK')
  })
  const started = at(target)
  return { ...started, settings: { ...started.settings, http_method } }
}

export const statuses: Group = {
  title: 'Statuses',
  cases: [
    ...[
      '204 No Content',
      '304 Not Modified',
      "418 I'm a teapot",
      '503 Service Unavailable',
      '599 X',
      '700 X',
    ].map(
      (line): Case => ({
        name: `The status is ${line.slice(0, 3)}`,
        type: 'http',
        status: 'down',
        cause: `HTTP ${line.slice(0, 3)} (expected 200)`,
        start: status(line),
      }),
    ),
    {
      name: 'The unusual status is an expected one',
      type: 'http',
      status: 'up',
      cause: null,
      start: async (scope) => {
        const started = await status('418')(scope)
        return { ...started, settings: { ...started.settings, expected_status_codes: [200, 418] } }
      },
    },
    {
      name: 'The status has four digits',
      type: 'http',
      status: 'down',
      cause: 'invalid HTTP answer: <what is wrong>',
      start: status('1000 X'),
    },
    {
      name: 'Interim answers (100, 102, 103) come before the answer',
      type: 'http',
      status: 'up',
      cause: null,
      start: saying(
        'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n' +
          'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
      ),
    },
    {
      name: 'Interim answers go on for ever',
      type: 'http',
      status: 'down',
      cause: 'no answer within <limit> s (connected, waiting for the first byte)',
      atLimit: true,
      start: async (scope) => {
        const asked = Promise.withResolvers<void>()
        const target = await startTcp(scope, (socket) => {
          socket.once('data', () => asked.resolve())
          const more = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10)
          socket.once('close', () => clearInterval(more))
        })
        return { ...at(target), saidAll: () => asked.promise }
      },
    },
    {
      name: 'The server switches protocols unasked (101)',
      type: 'http',
      status: 'down',
      cause: 'HTTP 101 (expected 200)',
      start: saying('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    },
    {
      name: 'HEAD is answered unlike GET: 405',
      type: 'http',
      status: 'down',
      cause: 'HTTP 405 (expected 200)',
      start: (scope) => headless(scope, 'HEAD'),
    },
    {
      name: 'The same server, asked with GET',
      type: 'http',
      status: 'up',
      cause: null,
      start: (scope) => headless(scope, 'GET'),
    },
    {
      name: 'HEAD is answered with a body',
      type: 'http',
      status: 'up',
      cause: null,
      start: async (scope) => {
        const started = at(await startSaying(scope, 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'))
        return { ...started, settings: { ...started.settings, http_method: 'HEAD' } }
      },
    },
  ],
}
