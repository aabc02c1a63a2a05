import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../../core/errors.ts'
import { MAX_FORM_BYTES } from '../../../core/request-limits.ts'
import type { ServedPage } from '../../../operations/status-pages/serving/followed-pages.ts'
import { languageOf, type PageForm } from './answer.ts'
import { passwordFile } from './plain-files.ts'
import { sendReadyFile } from './ready-file.ts'

export type EnterPage = (
  page: ServedPage,
  entry: { password: string; clientAddress: string; path: string },
) => Promise<string | null>

/** The form of a page's password: GET shows it, POST enters. */
export function signInForm(enter: EnterPage, clientAddress: (incoming: IncomingMessage) => string): PageForm {
  return async (request, access) => {
    const { incoming, outgoing, page, base } = request
    const path = base === '' ? '/' : base
    const show = (fault: 'wrong' | 'tooMany' | null, headers?: Record<string, string>) =>
      sendReadyFile(passwordFile(languageOf(request, null), base, fault, headers), incoming, outgoing)
    if (access === 'shown')
      return void outgoing.writeHead(303, { location: path, 'cache-control': 'no-store' }).end()
    if (incoming.method !== 'POST') return show(null)
    const form = await readForm(incoming)
    if (form === null)
      return void outgoing.writeHead(413, { 'cache-control': 'no-store', connection: 'close' }).end()
    try {
      const password = form.get('password') ?? ''
      const cookie = await enter(page, { password, clientAddress: clientAddress(incoming), path })
      if (cookie === null) return show('wrong')
      outgoing.writeHead(303, { location: path, 'set-cookie': cookie, 'cache-control': 'no-store' }).end()
    } catch (error) {
      if (error instanceof Refusal && error.code === 'tooManyRequests') return show('tooMany', error.headers)
      throw error
    }
  }
}

/** Null for one that is too large. */
export async function readForm(incoming: IncomingMessage): Promise<URLSearchParams | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += chunk.length
    if (bytes > MAX_FORM_BYTES) return null
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}
