import { randomBytes } from 'node:crypto'
import { NO_HOST } from '../../core/monitors/cause.ts'
import { daysRemaining, warnOfExpiry } from '../../core/monitors/certificate.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import { securityOf } from '../../core/monitors/options/security.ts'
import { parseTarget, portOf } from '../../core/monitors/target.ts'
import { notOfProtocol, sipStatus } from '../../core/monitors/types/causes.ts'
import type { Network } from '../../net/network.ts'
import { attempt, unanswered } from '../attempt.ts'
import { type CheckedPlace, connect, connectSecurely } from '../connect.ts'
import { cutOff } from '../lines/cut-off.ts'
import { createTalk, type Talk, TalkEnded } from '../lines/talk.ts'
import type { Probe } from '../probe.ts'
import { tlsTermsOf, wayOf } from '../way.ts'
import { type Current, checkByPackets, judge, type PacketProtocol, type Understood } from './by-packets.ts'
import { Garbled } from './cursor.ts'

const OWN_NAME = 'upbeat.invalid'
const USER_AGENT = 'Upbeat/0.1 (uptime monitoring)'
/** Every branch of this version of the protocol begins so (RFC 3261, section 8.1.1.7). */
const BRANCH = 'z9hG4bK'
const ID_BYTES = 12
const STATUS = /^SIP\/2\.0 (\d{3}) ?(.*)$/i
const FINAL = 200
const NOT_DONE = 300

/** Up when a server of SIP answers OPTIONS with 2xx, over UDP, TCP or TLS. */
export function createSipProbe(network: Network, now: () => Date): Probe<'sip'> {
  return async (settings, signal) => {
    const isSecure = securityOf(settings) === 'implicit'
    const isByPackets = !isSecure && settings.options?.transport !== 'tcp'
    const result = await attempt(network, settings, signal, (current) =>
      isByPackets ? checkByPackets(current, BY_PACKETS) : checkOverConnection(current, isSecure),
    )
    return warnOfExpiry(result, settings.ssl_expiry_warning_days, now())
  }
}

const BY_PACKETS: PacketProtocol<'sip'> = {
  name: 'SIP',
  begin: (current) => {
    const { callId, text } = requestOf(current, 'UDP')
    return {
      packet: Buffer.from(text),
      read: (bytes) => {
        const [head = ''] = bytes.toString().split('\r\n\r\n')
        const found = answerIn(current, head.split('\r\n'), callId)
        return found && { answer: found }
      },
    }
  },
}

async function checkOverConnection(current: Current<'sip'>, isSecure: boolean): Promise<CheckResult> {
  const { settings, network } = current
  const port = portOf(settings)
  if (port === null) return unanswered(current, NO_HOST)
  const place: CheckedPlace = {
    ...{ kind: 'check', url: parseTarget(settings.url), port },
    ...{ way: await wayOf(current), terms: tlsTermsOf(settings) },
  }
  const connected = await (isSecure ? connectSecurely(current, place, null) : connect(current, place))
  if (connected.kind === 'ended') return connected.result
  try {
    current.requested()
    const { callId, text } = requestOf(current, isSecure ? 'TLS' : 'TCP')
    const talk = createTalk(connected.socket, current.signal, current.progress)
    const sentAt = performance.now()
    talk.write(Buffer.from(text))
    const found = await finalAnswer(current, talk, callId)
    current.firstByteRead(Math.round((talk.beganAt() ?? sentAt) - sentAt))
    const { certificate } = current.observed
    const certificateDays = certificate && daysRemaining(certificate.expiresAt, network.now())
    return await judge(current, { ...found, read: { ...found.read, certificateDays } })
  } catch (error) {
    if (error instanceof Garbled) return judge(current, { fault: notOfProtocol('SIP') })
    if (!(error instanceof TalkEnded)) throw error
    return cutOff(current, { name: 'SIP', port, connected, awaited: 'answer' }, error)
  } finally {
    connected.socket.destroy()
  }
}

/** A server may say that it is working on it before. */
async function finalAnswer(current: Current<'sip'>, talk: Talk, callId: string): Promise<Understood> {
  for (;;) {
    const lines: string[] = []
    for (let line = await talk.line(); line !== '' || lines.length === 0; line = await talk.line()) {
      if (lines.length === 0 && line !== '' && !STATUS.test(line)) throw new Garbled('no status')
      if (line !== '') lines.push(line)
    }
    const found = answerIn(current, lines, callId)
    if (found) return found
  }
}

function requestOf({ settings }: Current<'sip'>, transport: string): { callId: string; text: string } {
  const [branch = '', tag = '', callId = ''] = [0, 0, 0].map(() => randomBytes(ID_BYTES).toString('hex'))
  const target = parseTarget(settings.url)?.hostname ?? ''
  const scheme = transport === 'TLS' ? 'sips' : 'sip'
  const text = [
    `OPTIONS ${scheme}:${target} SIP/2.0`,
    `Via: SIP/2.0/${transport} ${OWN_NAME};branch=${BRANCH}${branch};rport`,
    'Max-Forwards: 70',
    `From: <sip:upbeat@${OWN_NAME}>;tag=${tag}`,
    `To: <${scheme}:${target}>`,
    `Call-ID: ${callId}`,
    'CSeq: 1 OPTIONS',
    `Contact: <sip:upbeat@${OWN_NAME}>`,
    'Accept: application/sdp',
    `User-Agent: ${USER_AGENT}`,
    'Content-Length: 0',
    ...['', ''],
  ]
  return { callId, text: text.join('\r\n') }
}

/** The final answer to our question; null for any other. */
function answerIn(
  { settings: { options } }: Current<'sip'>,
  [first = '', ...headers]: readonly string[],
  callId: string,
): Understood | null {
  const [, code, reason = ''] = STATUS.exec(first) ?? []
  if (code === undefined) throw new Garbled('no status')
  const isOurs = headers.some((line) => /^(call-id|i)\s*:/i.test(line) && line.includes(callId))
  const status = Number(code)
  if (!isOurs || status < FINAL) return null
  const answer = `${code} ${reason}`.trim()
  // An assertion about the status takes the place of the rule, as with HTTP.
  const isJudged = options?.assertions?.some(
    ({ source, severity }) => source === 'answer' && severity === 'down',
  )
  return { fault: status < NOT_DONE || isJudged ? null : sipStatus(answer), read: { answer } }
}
