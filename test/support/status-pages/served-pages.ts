import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
import { PAGE_FILES } from '../../../src/pages/status-pages/files.ts'
import { type Look, statusPageHeaders } from '../../../src/pages/status-pages/look.ts'
import type { Scope } from '../scope.ts'

export type ServedPage = { body: string; look: Look; isEmbed?: boolean }

/** Pages and their files on a server that does nothing else; what stands in `pages` may change meanwhile. */
export async function servePages(
  scope: Scope,
  pages: Map<string, ServedPage>,
): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '', 'http://any').pathname
    asked.push(path)
    const page = pages.get(path)
    const file = PAGE_FILES.find((one) => one.path === path)
    if (page) return sendPage(request, response, page)
    if (file) return response.writeHead(200, { 'content-type': file.type }).end(file.content)
    response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function sendPage(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { body, look, isEmbed }: ServedPage,
): void {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const own = { ...statusPageHeaders(look, { isEmbed: isEmbed ?? false }), etag }
  if (headers['if-none-match'] === etag) return void response.writeHead(304, own).end()
  response.writeHead(200, { ...own, 'content-encoding': 'br', 'cache-control': 'no-cache' })
  response.end(brotliCompressSync(body))
}
