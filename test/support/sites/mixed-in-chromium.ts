import http from 'node:http'
import https from 'node:https'
import { chromium } from 'playwright-core'
import { chromiumProgram } from '../browser/chromium-program.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import { selfSigned } from '../servers/certificates.ts'
import { listenHere } from './listening.ts'

type Scope = { after: (close: () => Promise<void>) => void }

/** The fate of an insecure address of a secure page in Chromium; `unused`: it asks for nothing. */
export type Treatment = 'blocked' | 'upgraded' | 'loaded' | 'unused'

/** A page, and by path further files of its host. Addresses that matter have `/mixed/` in their path. */
export type MixedPage = {
  html: string
  files?: Record<string, { type: string; body: string }>
  headers?: Record<string, string>
  /** The element that somebody clicks at. */
  click?: string
  /** Whether Chromium asks for nothing, which no event says. */
  isUnused?: boolean
}

const HOST = 'https://page.example'
const TYPES: [RegExp, string][] = [
  [/\.css$/, 'text/css'],
  [/\.js$/, 'text/javascript'],
  [/\.svg$/, 'image/svg+xml'],
  [/\.pdf$/, 'application/pdf'],
]

/** A real Chromium, whose every name leads here: `page.example` is secure, and whatever is asked for is answered on both protocols. */
export async function startMixedPages(scope: Scope): Promise<(page: MixedPage) => Promise<Treatment>> {
  let shown: MixedPage = { html: '' }
  const answer = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const path = request.url ?? '/'
    const file = shown.files?.[path]
    const isPage = path === '/' && request.headers.host === 'page.example'
    const type =
      file?.type ?? (isPage ? 'text/html' : (TYPES.find(([name]) => name.test(path))?.[1] ?? 'image/png'))
    response.writeHead(200, {
      'Content-Type': type,
      'Access-Control-Allow-Origin': '*',
      ...(isPage ? shown.headers : {}),
    })
    response.end(file?.body ?? (isPage ? `<!doctype html>${shown.html}` : ''))
  }
  const plain = await listenHere(scope, http.createServer(answer))
  const certificate = selfSigned({ commonName: 'page.example', names: ['*.example'] })
  const secure = await listenHere(scope, https.createServer(certificate, answer))
  const browser = await chromium.launch({
    executablePath: await chromiumProgram(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--ignore-certificate-errors',
      `--host-resolver-rules=MAP *:80 127.0.0.1:${plain}, MAP *:443 127.0.0.1:${secure}`,
    ],
    timeout: HANG_GUARD_MS,
  })
  scope.after(() => browser.close())

  return async (page) => {
    shown = page
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const tab = await context.newPage()
    const session = await context.newCDPSession(tab)
    const asked = new Map<string, string>()
    const seen: Treatment[] = []
    const first = Promise.withResolvers<void>()
    const see = (treatment: Treatment) => {
      seen.push(treatment)
      first.resolve()
    }
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (!/\/mixed\//.test(request.url)) return
      asked.set(requestId, request.url)
    })
    const treated = (requestId: string, blockedReason?: string) => {
      const url = asked.get(requestId)
      if (url === undefined) return
      if (blockedReason === 'mixed-content') see('blocked')
      else see(url.startsWith('https:') ? 'upgraded' : 'loaded')
    }
    session.on('Network.loadingFailed', ({ requestId, blockedReason }) => treated(requestId, blockedReason))
    session.on('Network.responseReceived', ({ requestId }) => treated(requestId))
    // The page of a frame is blocked before there is a request.
    session.on('Audits.issueAdded', ({ issue }) => {
      const mixed = issue.details.mixedContentIssueDetails
      if (mixed?.resolutionStatus === 'MixedContentBlocked' && /\/mixed\//.test(mixed.insecureURL))
        see('blocked')
    })
    await session.send('Network.enable')
    await session.send('Audits.enable')
    await tab.goto(`${HOST}/`, { waitUntil: 'load', timeout: HANG_GUARD_MS })
    if (page.click) await tab.click(page.click, { noWaitAfter: true })
    if (page.isUnused && seen.length === 0) see(asked.size > 0 ? 'loaded' : 'unused')
    const guard = setTimeout(
      () => first.reject(new Error(`Chromium did nothing with ${page.html}`)),
      HANG_GUARD_MS,
    )
    try {
      await first.promise
      // It looks ahead for what a page may load, and decides again when it comes to the element.
      const [treatment = 'unused'] = seen
      return seen.includes('blocked') ? 'blocked' : treatment
    } finally {
      clearTimeout(guard)
      await context.close()
    }
  }
}
