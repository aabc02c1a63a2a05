import { NO_HOST } from '../../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { dnsInvalid, dnsStatus, dnsUnaskable } from '../../core/monitors/types/protocol-causes.ts'
import type { QuestionOutcome } from '../../net/names/dns-question.ts'
import type { DnsMessages, DnsQuestion } from '../../net/names/dns-wire.ts'
import { answered, type ProbeAttempt, unanswered } from '../attempt.ts'
import { readBody } from '../bodies/body.ts'
import { connectSecurely } from '../connect.ts'
import { exchange } from '../exchange.ts'
import { tlsTermsOf } from '../way.ts'

const HTTPS_PORT = 443
const OK = 200
const MESSAGE = 'application/dns-message'

/** Asks a name server over HTTPS by POST (RFC 8484, section 4.1). */
export async function askByHttps(
  current: ProbeAttempt<ProbeSettings<'dns'>>,
  { messages, question, url: written }: { messages: DnsMessages; question: DnsQuestion; url: string },
): Promise<QuestionOutcome | CheckResult> {
  const url = URL.parse(written)
  if (!url) return unanswered(current, NO_HOST)
  const message = messages.write(question, { isPlain: false })
  if (!message) return unanswered(current, dnsUnaskable(question.name))
  const place = { kind: 'check', url, port: Number(url.port) || HTTPS_PORT } as const
  const terms = tlsTermsOf(current.settings)
  const connected = await connectSecurely(current, { ...place, terms }, ['http/1.1'])
  if (connected.kind === 'ended') return connected.result
  const { socket, endpoint } = connected
  try {
    current.requested()
    const sentAt = performance.now()
    const headers = { 'Content-Type': MESSAGE, Accept: MESSAGE }
    const hop = { url, method: 'POST', headers, body: message.bytes } as const
    const answer = await exchange(connected, hop, current.signal)
    if (answer.kind === 'failed')
      return answer.isOurs ? resultWithout('pending', answer.reason) : unanswered(current, answer.reason)
    current.firstByteRead(Math.round(performance.now() - sentAt))
    if (answer.status !== OK) return answered(current, dnsStatus(answer.status))
    const body = await readBody(answer.response, () => current.progress())
    const read = body.kind === 'read' ? messages.read(body.bytes, message.id, question) : null
    return read ? { kind: 'answered', answer: read } : answered(current, dnsInvalid(endpoint))
  } finally {
    socket.destroy()
  }
}
