import { Refusal } from '../../core/errors.ts'
import { inWords } from '../../core/language/said.ts'
import type { MachineReport } from '../../core/servers/machine-report.ts'
import type { ReportFate } from '../../core/servers/verdict.ts'
import { hashServerToken } from '../../store/servers/recording.ts'
import type { Services } from '../services.ts'
import { foundBySecret, throttle } from '../sign-in/throttle.ts'

/** Names the machine that was refused: senders log it, and a relay may send for several. */
function otherMachine(names: (string | null)[]): string {
  const said = [...new Set(names.map((name) => name ?? 'a machine without a name'))].join(', ')
  return `Another machine reports with this token, so that of ${said} was refused. Create a server for each machine, and install its own address there.`
}

const BUSY_SECONDS = 60

/** The reports of a request are durable. */
export type ReceivedReports = {
  wantsTop: boolean
  /** Host names of other machines, whose reports were refused. */
  others: (string | null)[]
}

/** Counts a request, and refuses with 404 and 429 before anything of it is read. Resolves to the hash of its token. */
export async function admitReports(
  services: Services,
  token: string,
  addressOf: () => string,
): Promise<Buffer> {
  const { limits, serverTokens } = services
  const tokenHash = hashServerToken(token)
  // Nearly all are known, and need no address, which takes longer to read than the token.
  if (!(await serverTokens.isKnown(tokenHash)))
    return foundBySecret<Buffer>(services, 'report', addressOf(), null)
  await throttle(limits.perReportingServer, tokenHash.toString('base64'))
  return tokenHash
}

/** Records reports; resolves once they are durable. Refuses with 404, 409 and 503. */
export async function receiveReports(
  services: Services,
  tokenHash: Buffer,
  reports: MachineReport[],
): Promise<ReceivedReports> {
  const receivedAt = services.databaseNow()
  const fates = await Promise.all(
    reports.map((report) => services.recordReport(tokenHash, report, receivedAt)),
  )
  const kinds = new Set<ReportFate['kind']>(fates.map(({ kind }) => kind))
  if (kinds.has('unknown')) {
    services.serverTokens.forget(tokenHash)
    throw new Refusal('notFound')
  }
  if (kinds.has('busy')) {
    const sentence = inWords(
      `Too many reports are waiting to be recorded: send it again in ${BUSY_SECONDS} s.`,
    )
    throw Refusal.forNow('unavailable', BUSY_SECONDS, sentence)
  }
  const others = reports.flatMap(({ machine }, index) =>
    fates[index]?.kind === 'other' ? [machine.host_name] : [],
  )
  if (others.length > 0 && kinds.size === 1)
    throw new Refusal('conflict', { detail: inWords(otherMachine(others)) })
  return { wantsTop: fates.some(({ wantsTop }) => wantsTop), others }
}
