import type { FailingAnswer } from '../../probing/failing-answer.ts'
import { addressAndPort } from '../cause.ts'
import type { CheckStatus } from '../check.ts'
import { passes } from '../check.ts'
import { type Baseline, baselineChanges } from './baseline.ts'
import { boundedFindings, type DiagnosisFound, MAX_DIAGNOSIS_LINE } from './diagnosis.ts'
import type { LookedUpNames, SeenEncryption, TalkedResult, TargetLook, TracedRoute } from './target-look.ts'

/** A check as the history has it. */
export type PastCheck = {
  checkedAt: Date
  status: CheckStatus
  region: string | null
  responseTimeMs: number | null
  httpStatusCode: number | null
  errorMessage: string | null
}

/** Another monitor of the same team whose target is the same host or address. `status` is that which people see. */
export type RelatedMonitor = { name: string; status: string }

/** All that was collected about one monitor. */
export type DiagnosisEvidence = {
  region: string | null
  /** When the incident began: an older check of a region says nothing about it. */
  since: Date
  /** The newest check of each region. */
  regions: PastCheck[]
  /** The last check that passed before the incident; null where none is kept. */
  lastPassed: PastCheck | null
  /** How the target looked when a check of it passed; null where that is not known, or its settings are other ones. */
  baseline: Baseline | null
  /** When the certificate that was seen last expires. */
  certificateExpiresAt: Date | null
  /** `limitSeconds`: how long it waited, and the monitor's own checks. */
  fresh: { result: TalkedResult; limitSeconds: number; usualSeconds: number } | null
  /** Why no fresh check was made; null where one was. */
  notFresh: string | null
  look: TargetLook | null
  others: RelatedMonitor[]
  othersLeftOut: number
}

/**
 * Says what was found, as English text like causes. Where a fresh check, or our own name servers, could not judge, nothing that was
 * seen on the way is told: it would be about our network.
 */
export function sayDiagnosis(evidence: DiagnosisEvidence): DiagnosisFound {
  const { region, fresh, look, notFresh } = evidence
  const recorded = {
    regions: evidence.regions.map(pastCheck),
    others: [
      ...evidence.others.map(({ name, status }) => `${name}: ${status}`),
      ...(evidence.othersLeftOut > 0 ? [`and ${evidence.othersLeftOut} more`] : []),
    ],
  }
  const trouble = ourTrouble(evidence)
  if (trouble !== null) {
    return boundedFindings({
      outcome: 'impossible',
      summary: `could not be diagnosed: ${trouble}`,
      region,
      sections: recorded,
    })
  }
  return boundedFindings({
    outcome: 'diagnosed',
    summary: summaryOf(evidence),
    region,
    sections: {
      ...recorded,
      fresh: fresh ? freshCheck(fresh, region) : notFresh === null ? [] : [notFresh],
      name: look ? namesOf(look) : [],
      route: look?.route
        ? routeOf(look.route)
        : look?.isThroughProxy
          ? ['not traced: checks go through a proxy']
          : [],
      connection: look ? connectionsOf(look) : [],
      encryption: look?.encryption ? encryptionOf(look.encryption) : [],
      answer: fresh?.result.answer ? answerOf(fresh.result.answer) : [],
      changes: changesOf(evidence),
    },
  })
}

/** Why nothing can be said of the target; null where something can. */
function ourTrouble({ fresh, look }: DiagnosisEvidence): string | null {
  if (fresh) return fresh.result.status === 'pending' ? (fresh.result.errorMessage ?? 'no verdict') : null
  if (!look) return null
  if (look.isOurs) return look.refusal ?? 'our name servers do not answer'
  const { connections } = look
  const ours = connections.find(({ isOurs }) => isOurs)
  return ours && connections.every(({ isOurs }) => isOurs) ? ours.reason : null
}

function summaryOf(evidence: DiagnosisEvidence): string {
  const { fresh, look, regions, region, since } = evidence
  const seen = seenBy(regions.filter(({ checkedAt }) => checkedAt >= since))
  const from = region === null ? '' : ` from ${region}`
  if (fresh && passes(fresh.result.status))
    return `a fresh check${from} passes${seen === null ? '' : `; ${seen}`}`
  const what = fresh
    ? `${placeOf(fresh.result, look)}: ${fresh.result.errorMessage ?? 'the check failed'}`
    : lookedAt(look)
  return [what, seen].filter((part) => part !== null).join('; ') || 'nothing more than its checks is known'
}

/** How many regions see the trouble; null where there is only one that has looked. */
function seenBy(regions: readonly PastCheck[]): string | null {
  if (regions.length < 2) return null
  const down = regions.filter(({ status }) => status === 'down' || status === 'maintenance')
  if (down.length === 0) return `none of ${regions.length} regions sees it`
  if (down.length === regions.length) return `all ${regions.length} regions see it`
  return `seen from ${down.map(({ region }) => region ?? 'the region without a name').join(', ')}, not from ${
    regions.length - down.length
  } other${regions.length - down.length === 1 ? '' : 's'}`
}

/** How far the check came, by its own findings first, and by what was looked at besides. */
function placeOf(
  { phases, httpStatusCode, certificate, steps, encryption }: TalkedResult,
  look: TargetLook | null,
): string {
  // It has answered already, in the clear, up to its own word that TLS may begin.
  if (encryption?.kind === 'failed') return 'connected, but TLS fails'
  if (encryption && encryption.refusal !== null) return 'connected, but the certificate is not trusted'
  if (httpStatusCode !== null || (phases && phases.firstByteMs !== null))
    return 'it answers, but not as expected'
  // Its URL names no host that could be looked at, such as a container or the service of several servers.
  if (look === null) return 'the check failed'
  // Its cause names the step, and each step may have another place.
  if (steps) return 'the check failed'
  if (phases === null || phases.connectMs === null) {
    if (look.names?.kind === 'asked' && look.names.fault !== null) return 'the name leads nowhere'
    if (look.refusal !== null && !look.isOurs) return 'not connected'
    return look.connections.length > 0 || look.isThroughProxy ? 'no connection' : 'no answer'
  }
  if (look.encryption && phases.tlsMs === null && certificate === null) return 'connected, but TLS fails'
  if (look.encryption?.kind === 'spoken' && look.encryption.refusal !== null)
    return 'connected, but the certificate is not trusted'
  return 'connected, but no answer'
}

/** Without a fresh check: what the way shows. */
function lookedAt(look: TargetLook | null): string | null {
  if (look === null) return null
  if (look.names?.kind === 'asked' && look.names.fault !== null)
    return `the name leads nowhere: ${look.names.fault}`
  if (look.refusal !== null) return `not connected: ${look.refusal}`
  const failed = look.connections.filter(({ reason }) => reason !== null)
  if (failed[0] && failed.length === look.connections.length) return `no connection: ${failed[0].reason}`
  if (look.encryption?.kind === 'failed') return `connected, but TLS fails: ${look.encryption.reason}`
  if (look.encryption?.kind === 'spoken' && look.encryption.refusal !== null)
    return `connected, but the certificate is not trusted: ${look.encryption.refusal}`
  return look.connections.length > 0 ? 'it takes connections' : null
}

/** To the second, in UTC: the text is copied, and read by people of several zones. */
function secondOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function pastCheck({ region, checkedAt, status, responseTimeMs, errorMessage }: PastCheck): string {
  const took = responseTimeMs === null ? '' : ` in ${responseTimeMs} ms`
  const where = region === null ? '' : `${region}: `
  return `${where}${status}${took} at ${secondOf(checkedAt)}${errorMessage ? `: ${errorMessage}` : ''}`
}

function freshCheck(
  { result, limitSeconds, usualSeconds }: NonNullable<DiagnosisEvidence['fresh']>,
  region: string | null,
): string[] {
  const { status, responseTimeMs, errorMessage, phases } = result
  const took = responseTimeMs === null ? '' : ` in ${responseTimeMs} ms`
  const times = Object.entries({
    name: phases?.dnsMs,
    connection: phases?.connectMs,
    TLS: phases?.tlsMs,
    'first byte': phases?.firstByteMs,
    transfer: phases?.transferMs,
  }).flatMap(([name, ms]) => (ms == null ? [] : [`${name} ${ms} ms`]))
  return [
    `${region === null ? '' : `${region}: `}${status}${took}${errorMessage ? `: ${errorMessage}` : ''}`,
    ...(times.length > 0 ? [times.join(', ')] : []),
    ...(limitSeconds < usualSeconds
      ? [`it waited ${limitSeconds} s at most, where checks of this monitor wait ${usualSeconds} s`]
      : []),
  ]
}

function namesOf({ host, names, isThroughProxy }: TargetLook): string[] {
  if (names === null)
    return isThroughProxy
      ? ['not looked up: checks go through a proxy']
      : ['not looked up: the monitor names its own name server']
  switch (names.kind) {
    case 'address':
      return []
    case 'hosts file':
      return [`${host} stands in the hosts file of the machine that looked`]
    case 'not asked':
      return [`not looked up: ${names.reason}`]
    case 'asked':
      return askedNames(host, names)
  }
}

function askedNames(host: string, names: Extract<LookedUpNames, { kind: 'asked' }>): string[] {
  const chain = [host, ...names.aliases]
  return [
    ...names.aliases.map((alias, index) => `${chain[index]} CNAME ${alias}`),
    ...(names.fault === null
      ? names.addresses.map((one) => `${chain.at(-1)} ${familyOf(one)} ${one}`)
      : [names.fault]),
    ...(names.zone ? [`name servers of ${names.zone.name}: ${names.zone.servers.join(', ')}`] : []),
  ]
}

function familyOf(address: string): string {
  return address.includes(':') ? 'AAAA' : 'A'
}

function routeOf(route: TracedRoute): string[] {
  if (route.kind === 'not asked') return [`not traced: ${route.reason}`]
  const { hops, isReached, asked } = route
  const shown = hops.map(({ address, ms }, index) => {
    const said = address === 'inner' ? 'an inner address' : (address ?? 'no answer')
    return `${index + 1}  ${said}${ms === null ? '' : `  ${Math.round(ms)} ms`}`
  })
  if (isReached) return shown
  return [
    ...shown,
    `nothing answers behind that, within ${asked} hops; many networks answer no such requests`,
  ]
}

function connectionsOf({ connections, refusal, isOurs, port }: TargetLook): string[] {
  if (refusal !== null && !isOurs) return [refusal]
  return connections.map(
    ({ address, ms, reason }) =>
      `${addressAndPort(address, port ?? 0)}: ${reason ?? `takes connections, in ${ms} ms`}`,
  )
}

function encryptionOf(encryption: SeenEncryption): string[] {
  if (encryption.kind === 'failed') return [encryption.reason]
  const { protocol, cipher, chain, refusal } = encryption
  return [
    [protocol, cipher].filter(Boolean).join(', '),
    refusal === null ? 'the certificate is trusted' : `not trusted: ${refusal}`,
    ...chain.map(
      ({ subject, issuer, names, expires_at, fingerprint }, index) =>
        `${index + 1}  ${subject}, issued by ${issuer}, until ${expires_at}${
          index === 0 && names.length > 0 ? `, for ${names.slice(0, 10).join(' ')}` : ''
        }, SHA-256 ${fingerprint.slice(0, 16)}…`,
    ),
  ].filter(Boolean)
}

function answerOf({ status_line, headers, headers_left_out, body }: FailingAnswer): string[] {
  const lines = [
    status_line,
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    ...(headers_left_out > 0 ? [`(${headers_left_out} more headers)`] : []),
    '',
  ]
  switch (body.kind) {
    case 'empty':
      return [...lines, '(an empty body)']
    case 'binary':
      return [...lines, '(a body that is no text)']
    case 'unread':
      return [...lines, '(a body that did not arrive)']
    case 'text':
      return [...lines, ...body.text.split('\n').flatMap(folded), ...(body.is_cut ? ['…'] : [])]
  }
}

/** Pages without line breaks are one line of thousands of characters. */
function folded(line: string): string[] {
  const parts = []
  for (let at = 0; at < line.length; at += MAX_DIAGNOSIS_LINE - 1) {
    parts.push(line.slice(at, at + MAX_DIAGNOSIS_LINE - 1).toWellFormed())
  }
  return parts.length > 0 ? parts : ['']
}

function changesOf(evidence: DiagnosisEvidence): string[] {
  return [...changesOfChecks(evidence), ...baselineChanges(evidence.baseline, evidence, secondOf)]
}

function changesOfChecks({ lastPassed, fresh, certificateExpiresAt }: DiagnosisEvidence): string[] {
  if (!lastPassed) return []
  const { httpStatusCode: code, responseTimeMs: ms, checkedAt } = lastPassed
  const changes = [`the last check that passed was at ${secondOf(checkedAt)}`]
  const result = fresh?.result
  if (code !== null && result?.httpStatusCode != null && result.httpStatusCode !== code)
    changes.push(`status: HTTP ${code} before, HTTP ${result.httpStatusCode} now`)
  if (ms !== null && result?.responseTimeMs != null && result.responseTimeMs > 2 * ms + 100)
    changes.push(`response time: ${ms} ms before, ${result.responseTimeMs} ms now`)
  const expiresAt = result?.certificate?.expiresAt
  if (certificateExpiresAt && expiresAt && certificateExpiresAt.getTime() !== expiresAt.getTime())
    changes.push(
      `certificate: valid until ${secondOf(certificateExpiresAt)} before, until ${secondOf(expiresAt)} now`,
    )
  return changes
}
