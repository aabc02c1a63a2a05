import { NO_HOST } from '../core/monitors/cause.ts'
import { daysRemaining, warnOfExpiry } from '../core/monitors/certificate.ts'
import type { CheckResult } from '../core/monitors/check.ts'
import { securityOf } from '../core/monitors/options/security.ts'
import { bytesToSend } from '../core/monitors/options/send.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import { parseTarget, portOf } from '../core/monitors/target.ts'
import { withoutEnd } from '../core/text.ts'
import type { Network } from '../net/network.ts'
import { answered, attempt, type ProbeAttempt, unanswered } from './attempt.ts'
import { judgedWithinBound } from './bounded-evaluation.ts'
import { type CheckedPlace, type Connected, connect, connectSecurely } from './connect.ts'
import { cutOff } from './lines/cut-off.ts'
import { createTalk, TalkEnded } from './lines/talk.ts'
import { meetAssertions, NOTHING_READ } from './meet-assertions.ts'
import type { Probe } from './probe.ts'
import { tlsTermsOf, wayOf } from './way.ts'

/** An answer has no mark at its end: without more for so long it is over, unless it met what is expected before. */
const QUIET_MS = 3_000
/** How often an answer is judged while it arrives; then once more at its end. */
const MAX_LOOKS = 64

type Current = ProbeAttempt<ProbeSettings<'tcp'>>

/** Up when the port accepts a connection, begins TLS and answers, as far as the monitor wants that. */
export function createTcpProbe(network: Network, now: () => Date): Probe<'tcp'> {
  return async (settings, signal) => {
    const result = await attempt(network, settings, signal, check)
    return warnOfExpiry(result, settings.ssl_expiry_warning_days, now())
  }
}

async function check(current: Current): Promise<CheckResult> {
  const { settings, network } = current
  const port = portOf(settings)
  if (port === null) return unanswered(current, NO_HOST)
  const plain: CheckedPlace = { kind: 'check', url: parseTarget(settings.url), port }
  const place = settings.options
    ? { ...plain, way: await wayOf(current), terms: tlsTermsOf(settings) }
    : plain
  const isSecure = securityOf(settings) === 'implicit'
  const connected = await (isSecure ? connectSecurely(current, place, null) : connect(current, place))
  if (connected.kind === 'ended') return connected.result
  try {
    const answer = settings.options ? await answerOver(current, connected, settings.options) : null
    const passing = answered(current, null)
    if (!settings.options) return passing
    const { certificate } = passing
    const certificateDays = certificate && daysRemaining(certificate.expiresAt, network.now())
    return await meetAssertions(current, passing, { answer, certificateDays })
  } catch (error) {
    if (!(error instanceof TalkEnded)) throw error
    return cutOff(current, { name: 'TCP', port, connected, awaited: 'answer' }, error)
  } finally {
    connected.socket.destroy()
  }
}

/** The text that comes back, or comes unasked where it is judged; null where nothing is waited for. */
async function answerOver(
  current: Current,
  { socket }: Connected,
  { send, assertions = [] }: NonNullable<Current['settings']['options']>,
): Promise<string | null> {
  const judged = assertions.filter(({ source }) => source === 'answer')
  if (send === undefined && judged.length === 0) return null
  current.requested()
  if (send !== undefined) socket.write(bytesToSend(send))
  const sentAt = performance.now()
  const talk = createTalk(socket, current.signal, current.progress)
  await talk.more()
  current.greeted(Math.round(performance.now() - sentAt))
  for (let looks = 0; ; looks++) {
    const text = textOf(talk.text())
    const isJudged = looks < MAX_LOOKS
    if (isJudged && (await judgedWithinBound(judged, { ...NOTHING_READ, answer: text })) === null) return text
    if ((await moreOf(current, talk.more())) === 'no more') return textOf(talk.text())
  }
}

/** A connection that is closed, a silence and a great length end an answer; what breaks it does not. */
async function moreOf(current: Current, coming: Promise<void>): Promise<'more' | 'no more'> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<'no more'>((resolve) => {
    timer = setTimeout(() => {
      current.setAside(QUIET_MS)
      resolve('no more')
    }, QUIET_MS)
  })
  const more = coming.then(
    () => 'more' as const,
    (error) => {
      const isEnd = error instanceof TalkEnded && error.how !== 'given up' && error.error === null
      if (isEnd) return 'no more' as const
      throw error
    },
  )
  more.catch(() => {})
  return Promise.race([more, silence]).finally(() => clearTimeout(timer))
}

function textOf(said: string): string {
  return withoutEnd(said.replaceAll('\r\n', '\n'), '\n')
}
