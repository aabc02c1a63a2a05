import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { HANG_GUARD_MS } from '../hang-guard.ts'

/** A stream is sent in chunks, everything else with its length. */
export type Sent = {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array | Readable
}

/** An answer that was read to its end. */
export type Told = { status: number; headers: Headers; text: string }

const agent = new Agent({ keepAlive: true })

/** Asks a service on the loopback, and follows nothing. Most of what `fetch` costs is not spent on the request. */
export async function ask(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Told> {
  const isWhole = body !== undefined && !(body instanceof Readable)
  const length = isWhole && { 'content-length': String(Buffer.byteLength(body)) }
  const sent = request(url, { agent, method, headers: { accept: '*/*', ...headers, ...length } })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject)
    sent.setTimeout(HANG_GUARD_MS, () => sent.destroy(new Error(`no answer: ${method} ${url}`)))
    if (body instanceof Readable) body.pipe(sent)
    else sent.end(body)
  })
  return {
    status: response.statusCode ?? 0,
    headers: headersOf(response.rawHeaders),
    text: await text(response),
  }
}

function headersOf(raw: string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] as string, raw[at + 1] as string)
  return headers
}
