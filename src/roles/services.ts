import { readApiVersion } from '../api-version.ts'
import type { Config } from '../config.ts'
import { socketPathOf } from '../core/monitors/target.ts'
import { type Clock, createClock, monotonicMs } from '../engine/probing/clock.ts'
import { createIntake } from '../engine/recording/intake.ts'
import type { Recorders } from '../engine/recording/recorders.ts'
import { type Log, troubleOf } from '../log.ts'
import { createMeter, type Meter } from '../metrics/meter.ts'
import { policyOf, writtenRefusal } from '../net/address-policy.ts'
import { socketRefusal } from '../net/local/local-socket.ts'
import { lookUpTxt } from '../net/names/txt-records.ts'
import { createNetwork } from '../net/network.ts'
import { createLiveStreams, type LiveStreams } from '../operations/live-streams.ts'
import { createRemoteProbeNews, type RemoteProbeNews } from '../operations/probing/remote-probe-news.ts'
import { createNotUnderstoodNotes } from '../operations/servers/not-understood.ts'
import type { Services } from '../operations/services.ts'
import { createOidcProvider } from '../operations/sign-in/oidc-provider.ts'
import { renderPostBody } from '../pages/status-pages/markdown.ts'
import { renderPreview } from '../pages/status-pages/preview.ts'
import type { EmbeddedServer } from '../postgres/embedded/server.ts'
import type { LiveSettings } from '../settings.ts'
import { createHeartbeatFinder } from '../store/monitors/pings.ts'
import { addNotUnderstood } from '../store/servers/not-understood.ts'
import { createServerTokens } from '../store/servers/recording.ts'
import { stillAllowed } from '../store/sign-in/sessions.ts'
import { openStore, type Store } from '../store/store.ts'
import { createAuditWriter } from '../store/teams/audit.ts'
import { createTokenHolderFinder } from '../store/teams/tokens.ts'
import { letterQueue } from './alerts.ts'
import { countDatabaseErrors, countDroppedReadings, countIntake, countRefusedResults } from './counters.ts'
import { createDescriptionReader } from './oauth-client-metadata.ts'
import { createLimits } from './rate-limits.ts'

/** Wires the store and the services that edges and commands of any role work with. */

const OIDC_TIMEOUT_SECONDS = 10
/** A letter is given up after a day (core/alerting/delivery.ts). */
const MAX_LETTER_MS = 24 * 3_600_000

/** The thread that answers requests spends so long on one ping, whose body is short. */
const PING_CPU_MS = 100

const now = () => new Date()

/** Opens the database as the configuration says; progress goes to the log. `server`: the embedded one, if it starts already. */
export function openStoreOf(
  config: Config,
  log: Log,
  { tally }: Meter = createMeter(),
  server: Promise<EmbeddedServer> | null = null,
): Promise<Store> {
  return openStore({
    ...config,
    now,
    note: (message) => log.info(message),
    onTrouble: troubleOf(log, 'database'),
    onRefusal: countDatabaseErrors(tally),
    server,
  })
}

const judgePingBody: Services['judgeBody'] = async (assertions, body) => {
  const { judgedWithinBound } = await import('../probes/bounded-evaluation.ts')
  const nothing = {
    statusCode: null,
    header: () => null,
    responseTimeMs: null,
    certificateDays: null,
    answer: null,
  }
  return judgedWithinBound(assertions, { ...nothing, body }, PING_CPU_MS)
}

/** Wires the services of operations. */
export function createServices(
  settings: LiveSettings,
  { db, vault }: Store,
  recorders: Recorders,
  log: Log,
  { tally }: Meter = createMeter(),
  clock: Clock = createClock(monotonicMs, Date.now),
): Services {
  const { config, given } = settings
  const onBug = troubleOf(log, 'request')
  const intake = createIntake({ recorders, region: config.region, ...countIntake(tally) })
  const enqueueLetter = letterQueue(config, vault, log)
  return {
    db,
    vault,
    plans: config.plans,
    get siteUrl() {
      return config.siteUrl
    },
    get docsUrl() {
      return config.docsUrl
    },
    apiVersion: readApiVersion(),
    opensSignUp: config.signup === 'open',
    get hasMail() {
      return config.smtpUrl !== null
    },
    settings: {
      given,
      left: given.left,
      inEffect: () => config,
      saved: settings.saved,
      refresh: settings.refresh,
    },
    oidc:
      config.oidc &&
      createOidcProvider(config.oidc, {
        now,
        note: noteOf(log, 'oidc', 'sign-in by the provider failed'),
        timeoutSeconds: OIDC_TIMEOUT_SECONDS,
      }),
    now,
    databaseNow: clock.now,
    findTokenHolder: createTokenHolderFinder(db, now),
    findHeartbeat: createHeartbeatFinder(db),
    writeAudit: createAuditWriter(db),
    limits: createLimits(db, tally, now, onBug, config.signup),
    refuseAddress: (kind, url) => {
      if (socketPathOf(url) !== null) {
        const refusal = socketRefusal(config.dockerSockets, url)
        return (
          refusal && `must name a host, or a socket that the operator lists in DOCKER_SOCKETS: ${refusal}`
        )
      }
      const refusal = writtenRefusal(policyOf(kind, config.privateTargets), url)
      return refusal && `must name another host: ${refusal}`
    },
    lacks: config.browserPath === null ? ['browser'] : [],
    lookUpTxt,
    renderPreview,
    renderPostBody,
    readExport: async (...upload) => (await import('../imports/read-uploaded.ts')).readUploaded(...upload),
    judgeBody: judgePingBody,
    recordPing: intake.recordPing,
    recordWord: intake.recordWord,
    serverTokens: createServerTokens(db),
    recordReport: intake.recordReport,
    notUnderstood: createNotUnderstoodNotes({
      write: (tokenHash, noted) => addNotUnderstood(db, tokenHash, noted),
      monotonicMs,
      onTrouble: onBug,
    }),
    countDropped: countDroppedReadings(tally),
    recordRemote: intake.recordRemote,
    countRefused: countRefusedResults(tally),
    fetchDescription: createDescriptionReader({
      openNetwork: () => createNetwork({ privateTargets: config.privateTargets, now }),
      note: noteOf(log, 'oauth', 'a description of a program was not read'),
    }),
    enqueueLetter,
    sendLetter: (permit, letter) =>
      enqueueLetter(db.query, permit, letter, new Date(now().getTime() + MAX_LETTER_MS)),
    afterwards: (work) => void work().catch(onBug),
    onBug,
  }
}

function noteOf(log: Log, part: string, message: string) {
  return (detail: string) => log.warn({ part, detail }, message)
}

/** The live streams that this process serves; the engine passes news of the database on to them. */
export function openLiveStreams({ db }: Store, log: Log): LiveStreams {
  return createLiveStreams({
    now,
    stillAllowed: (watchers) => stillAllowed(db, watchers, now()),
    onTrouble: troubleOf(log, 'live streams'),
  })
}

/** The news for remote probes that ask this process. */
export function openRemoteProbeNews(): RemoteProbeNews {
  return createRemoteProbeNews(() => performance.now())
}
