import { once } from 'node:events'
import http from 'node:http'
import type { Scope } from '../scope.ts'
import { until } from '../until.ts'

// biome-ignore lint/suspicious/noExplicitAny: the shape is the event's
export type Heard = { event: string; data: any }

/** One live stream as a browser has it, with everything that it said so far; signs of life are no news. */
export type LiveClient = {
  status: number
  headers: http.IncomingHttpHeaders
  heard: Heard[]
  /** Everything received, signs of life and all. */
  text: () => string
  ended: () => boolean
  /** Ended in order, not cut off. */
  complete: () => boolean
  /** Stops reading, or goes on. */
  pause: () => void
  resume: () => void
  /** The first event from the `after`th on that fits. */
  untilHeard: (
    event: string,
    accept?: (data: Heard['data']) => boolean,
    after?: number,
  ) => Promise<Heard['data']>
  close: () => void
}

export async function openLive(
  scope: Scope,
  url: string,
  headers: Record<string, string>,
): Promise<LiveClient> {
  const request = http.get(url, { headers, agent: false })
  request.on('error', () => {})
  scope.after(async () => void request.destroy())
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const heard: Heard[] = []
  let received = ''
  let unread = ''
  let ended = false
  response.setEncoding('utf8')
  response.on('error', () => {})
  response.once('close', () => {
    ended = true
  })
  response.on('data', (text: string) => {
    received += text
    const blocks = (unread + text).split('\n\n')
    unread = blocks.pop() ?? ''
    heard.push(...blocks.flatMap(readBlock))
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    heard,
    text: () => received,
    ended: () => ended,
    complete: () => response.complete,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    untilHeard: (event, accept = () => true, after = 0) =>
      until(`the event ${event}`, () => {
        const found = heard.slice(after).find((one) => one.event === event && accept(one.data))
        return found?.data ?? false
      }),
    close: () => void request.destroy(),
  }
}

function readBlock(block: string): Heard[] {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const event = fields.get('event')
  return event === undefined || event === 'alive'
    ? []
    : [{ event, data: JSON.parse(fields.get('data') ?? 'null') }]
}
