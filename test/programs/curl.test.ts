import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ODD_ANSWERS, type OddAnswer, type Reading } from '../catalogue/odd-answers.ts'
import { openChromium } from '../support/browser/chromium.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'

const TEXT = 'OK'
const PAGE =
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello'
/** Says that the status came and that the text broke off. */
const BROKEN = 'broken'

/** An answer as a program read it; `status` is null for one that it refused. */
type Seen = { status: number | null; text: string }

/** Compares each answer of the catalogue, which was made with curl 7.88 and Chromium 147. */
describe('an odd answer, beside curl and Chromium', () => {
  let server: net.Server
  let page: Page
  let port: number

  before(async () => {
    server = net.createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (request) => {
        const index = /^GET \/answers\/(\d+)/.exec(request.toString('latin1'))?.[1]
        const answer = index === undefined ? PAGE : (ODD_ANSWERS[Number(index)]?.answer ?? PAGE)
        socket.end(Buffer.from(answer, 'latin1'))
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    port = (server.address() as AddressInfo).port
    const browser = await openChromium({ after })
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
  })
  after(async () => {
    await page.close()
    server.close()
  })

  for (const [index, odd] of ODD_ANSWERS.entries()) {
    test(odd.name, async () => {
      const path = `/answers/${index}`
      const [byCurl, byChromium] = await Promise.all([
        askCurl(`http://127.0.0.1:${port}${path}`),
        askChromium(page, path),
      ])
      // Another release of curl may have come round to what browsers do.
      const curl = readingOf(byCurl, odd)
      assert.ok([odd.curl, odd.ours].includes(curl), `curl: ${curl}, ${JSON.stringify(byCurl)}`)
      assert.equal(readingOf(byChromium, odd), odd.chromium, `Chromium: ${JSON.stringify(byChromium)}`)
    })
  }
})

function readingOf(seen: Seen, { status }: OddAnswer): Reading {
  if (seen.status !== status) return 'refused'
  return seen.text.includes(TEXT) && !seen.text.includes(BROKEN) ? 'read' : 'head'
}

/** A status that curl shows of an answer that it then refuses does not count; one whose text breaks off (18, 56) does. */
function askCurl(url: string): Promise<Seen> {
  const args = [
    '-q',
    '-s',
    '--compressed',
    '--max-time',
    String(HANG_GUARD_MS / 1_000),
    '-w',
    '\n%{http_code}',
    url,
  ]
  return new Promise((resolve) => {
    execFile('curl', args, { encoding: 'latin1' }, (error, output) => {
      const [, text = '', status = ''] = /^(.*)\n(\d+)$/s.exec(output) ?? []
      const isBroken = error?.code === 18 || error?.code === 56
      if (error && !isBroken) resolve({ status: null, text: '' })
      else resolve({ status: Number(status), text: isBroken ? BROKEN : text })
    })
  })
}

function askChromium(page: Page, path: string): Promise<Seen> {
  return page.evaluate(
    async ([url, broken]) => {
      const response = await fetch(url, { cache: 'no-store' }).catch(() => null)
      if (!response) return { status: null, text: '' }
      return { status: response.status, text: await response.text().catch(() => broken) }
    },
    [path, BROKEN] as const,
  )
}
