import type { AddressInfo } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import { SMTPServer } from 'smtp-server'
import { HANG_GUARD_MS } from '../hang-guard.ts'

export type Mail = {
  from: string
  to: string[]
  /** Headers by lower-case name, unfolded and decoded. */
  headers: Map<string, string>
  text: string
  html: string
  /** Files by their name. */
  files: Map<string, string>
  isSecure: boolean
  user: unknown
}

export type SmtpReceiver = { port: number; mails: Mail[] }

/** A real SMTP server on the loopback that keeps what it accepts; gone when the test is over. */
export async function startSmtpReceiver(
  scope: { after: (close: () => Promise<void>) => void },
  options: SMTPServerOptions = {},
): Promise<SmtpReceiver> {
  const mails: Mail[] = []
  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    socketTimeout: HANG_GUARD_MS,
    closeTimeout: HANG_GUARD_MS,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          ...readMail(Buffer.concat(chunks).toString()),
          isSecure: session.secure,
          user: session.user,
        })
        done()
      })
    },
    ...options,
  })
  // A client that breaks off is what some tests are about.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  scope.after(() => new Promise((resolve) => server.close(resolve)))
  return { port: (server.server.address() as AddressInfo).port, mails }
}

/** The messages that arrived, each once: a sender without an answer in time sends it again, with the same id. */
export function arrived({ mails }: Pick<SmtpReceiver, 'mails'>): Mail[] {
  return [...new Map(mails.map((mail) => [mail.headers.get('message-id'), mail])).values()]
}

/** An error that the server tells its client with this reply code. */
export function smtpReply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

function readMail(raw: string): Pick<Mail, 'headers' | 'text' | 'html' | 'files'> {
  const root = readPart(raw)
  const parts = partsOf(root)
  const bodyOf = (type: string) => {
    const part = parts.find(({ headers }) => headers.get('content-type')?.startsWith(type))
    return part ? decodePart(part) : ''
  }
  const files = parts.flatMap((part): [string, string][] => {
    const name = /filename="?([^";]+)/.exec(part.headers.get('content-disposition') ?? '')?.[1]
    return name ? [[name, decodePart(part)]] : []
  })
  return {
    headers: root.headers,
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
    files: new Map(files),
  }
}

type Part = { headers: Map<string, string>; body: string }

/** Those that hold no others. */
function partsOf(part: Part): Part[] {
  const boundary = /boundary="([^"]+)"/.exec(part.headers.get('content-type') ?? '')?.[1]
  if (!boundary) return [part]
  const inner = part.body.split(`--${boundary}`).slice(1, -1)
  return inner.flatMap((raw) => partsOf(readPart(raw.trimStart())))
}

function decodePart({ headers, body }: Part): string {
  return decodeBody(body, headers.get('content-transfer-encoding') ?? '7bit')
}

function readPart(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
  })
  return { headers: new Map(headers), body: raw.slice(end + 4) }
}

/** Encoded words (RFC 2047); neighbours belong together before their bytes are read as UTF-8. */
function decodeWords(value: string): string {
  return value.replace(/=\?UTF-8\?[QB]\?[^?]*\?=(?:\s+=\?UTF-8\?[QB]\?[^?]*\?=)*/gi, (words) => {
    const bytes = Array.from(words.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi), ([, kind, text = '']) =>
      kind?.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : quotedPrintable(text.replaceAll('_', ' ')),
    )
    return Buffer.concat(bytes).toString()
  })
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding === 'quoted-printable') return quotedPrintable(body.replace(/=\r\n/g, '')).toString()
  return body
}

function quotedPrintable(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([\dA-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}
