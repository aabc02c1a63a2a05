import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { ServerCertificate } from './certificates.ts'

export type Received = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  bytes: Buffer
}

export type Receiver = {
  url: string
  port: number
  /** Every request so far, whole. */
  requests: Received[]
  /** The body of the last request, as JSON. */
  lastJson: () => unknown
}

export type Answer = (response: ServerResponse, received: Received) => unknown

/** An HTTP server of a contact, on the loopback; gone when the test (or its suite) is over. */
export async function startReceiver(
  scope: { after: (close: () => Promise<void>) => void },
  answer: Answer,
  certificate?: ServerCertificate,
): Promise<Receiver> {
  const requests: Received[] = []
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const bytes = await buffer(request).catch(() => null)
    // A sender that died in the middle said nothing.
    if (bytes === null) return
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: bytes.toString(), bytes }
    requests.push(received)
    response.on('error', () => {})
    await answer(response, received)
  }
  const server = certificate ? https.createServer(certificate, onRequest) : http.createServer(onRequest)
  const port = await listen(server)
  scope.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`
  return { url, port, requests, lastJson: () => JSON.parse(requests.at(-1)?.body ?? 'null') }
}

export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}

/** Answers with one fixed status, body and headers. */
export function replyWith(statusCode: number, body = '', headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(statusCode, headers).end(body)
}

/** Checks and answers like Slack's incoming webhooks, which refuse blocks of about 13,000 characters in all. */
export const likeSlack: Answer = (response, { body, headers: sent }) => {
  const payload = JSON.parse(body)
  if (JSON.stringify(payload.blocks).length > 13_000 || payload.text.length > 40_000) {
    response.writeHead(400).end('msg_blocks_too_long')
    return
  }
  const texts = payload.blocks.flatMap((block: { text?: { text: string } }) => block.text?.text ?? [])
  const isValid =
    sent['content-type'] === 'application/json' && texts.length > 0 && payload.blocks.length <= 50
  const fits = texts.every((text: string) => text.length > 0 && text.length <= 3_000)
  const headers = payload.blocks.filter(({ type }: { type: string }) => type === 'header')
  const headersFit = headers.every(
    ({ text }: { text: { type: string; text: string } }) =>
      text.type === 'plain_text' && text.text.length <= 150,
  )
  if (isValid && fits && headersFit && typeof payload.text === 'string') response.writeHead(200).end('ok')
  else response.writeHead(400).end('invalid_payload')
}

/** Checks and answers like Discord's webhooks, which answer with the message where they are asked to wait. */
export const likeDiscord: Answer = (response, { method, path, body }) => {
  const { content, embeds, username } = JSON.parse(body)
  const lengths: number[] = embeds.map(({ description }: { description: string }) => description.length)
  const fits =
    content.length <= 2_000 &&
    lengths.length <= 10 &&
    lengths.every((length) => length > 0 && length <= 4_096) &&
    lengths.reduce((sum, length) => sum + length, 0) <= 6_000
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const [, edited] = /\/messages\/(\d+)$/.exec(pathname) ?? []
  if (!fits || content.length === 0 || (edited && username)) {
    return replyJson(response, 400, { message: 'Invalid Form Body', code: 50035 })
  }
  if ((method === 'PATCH') !== (edited !== undefined)) {
    return replyJson(response, 405, { message: '405: Method Not Allowed', code: 0 })
  }
  if (edited && edited !== DISCORD_MESSAGE) {
    return replyJson(response, 404, { message: 'Unknown Message', code: 10008 })
  }
  if (edited || searchParams.get('wait') === 'true') {
    return replyJson(response, 200, { id: DISCORD_MESSAGE, type: 0, content, embeds, channel_id: '1' })
  }
  response.writeHead(204).end()
}

/** The ID of every message of this Discord. */
export const DISCORD_MESSAGE = '1290000000000000001'

/** Checks and answers like Telegram's Bot API, for the one token and chat it knows. */
export function likeTelegram(token: string, chatId: string): Answer {
  return (response, { path, body }) => {
    const { chat_id, text } = JSON.parse(body)
    const refuse = (error_code: number, description: string) =>
      replyJson(response, error_code, { ok: false, error_code, description })
    if (path !== `/bot${token}/sendMessage`) return refuse(404, 'Not Found')
    if (chat_id !== chatId) return refuse(400, 'Bad Request: chat not found')
    if (text.length > 4_096) return refuse(400, 'Bad Request: message is too long')
    replyJson(response, 200, { ok: true, result: { message_id: 1, chat: { id: Number(chatId) } } })
  }
}

export function replyJson(response: ServerResponse, statusCode: number, body: unknown): void {
  response.writeHead(statusCode, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
