import type { IncomingMessage, ServerResponse } from 'node:http'
import { RequestSteps } from '../../src/core/monitors/options/protocols/steps.ts'
import { startHttp } from '../support/servers/targets.ts'
import type { Case, Group } from './case.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

const SIGN_IN = {
  ...{ name: 'sign in', method: 'POST', url: '/sign-in', body: '{}' },
  captures: { token: { source: 'json', property: '$.token' } },
}
const BASKET = { name: 'basket', url: '/basket', headers: { Authorization: 'Bearer {{token}}' } }

/** A check of a shop whose basket answers so. */
const of = (
  name: string,
  cause: string | null,
  basket: Answer,
  { steps = [SIGN_IN, BASKET], token = 't-1' } = {},
): Case => ({
  ...{ name, type: 'steps', cause, status: cause === null ? 'up' : 'down' },
  start: async (scope) => {
    const target = await startHttp(scope, (request, response) => {
      if (request.url === '/basket') basket(request, response)
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ token }))
    })
    return {
      targets: [target],
      settings: { url: `http://127.0.0.1:${target.port}/`, options: { steps: RequestSteps.parse(steps) } },
    }
  },
})

const answer =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end()

const NEXT = { ...BASKET, url: '{{{token}}}' }

export const steps: Group = {
  title: 'Several requests as one check',
  cases: [
    of('Every step passes', null, answer(201)),
    of('A step answers another status', 'step 2 "basket": HTTP 500 (expected 2xx)', answer(500)),
    of('A step breaks off', 'step 2 "basket": connection closed before the answer was complete', (request) =>
      request.socket.destroy(),
    ),
    of(
      'A step redirects in a circle',
      'step 2 "basket": more than 5 redirects',
      answer(302, { Location: '/basket' }),
    ),
    of(
      'An answer lacks what is to be captured',
      'step 1 "sign in": nothing to capture as "id"',
      answer(200),
      {
        steps: [
          {
            ...SIGN_IN,
            captures: { ...SIGN_IN.captures, id: { source: 'json', property: '$.id' } } as never,
          },
          BASKET,
        ],
      },
    ),
    of(
      'An answer has too much to capture',
      'step 1 "sign in": what is to be captured as "token" is longer than 8,192 characters',
      answer(200),
      { token: 'x'.repeat(10_000) },
    ),
    of(
      'A captured value makes no URL of the web',
      'step 2 "basket": with the values of earlier steps its URL is none of http or https',
      answer(200),
      { steps: [SIGN_IN, NEXT], token: 'file:///etc/passwd' },
    ),
    of(
      'A captured value leads to a closed port',
      'step 2 "basket": connection refused by 127.0.0.1:1',
      answer(200),
      { steps: [SIGN_IN, NEXT], token: 'http://127.0.0.1:1/' },
    ),
    of(
      'A captured value cannot stand in a header',
      'step 2 "basket": the request headers contain characters that cannot be sent',
      answer(200),
      { token: 'a\r\nX-Evil: 1' },
    ),
  ],
}
