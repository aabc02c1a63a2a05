import { randomUUID } from 'node:crypto'
import { SUBJECT_KINDS } from '../core/maintenance/subject-kind.ts'
import { createLoops, type Loops } from '../engine/loops.ts'
import { startStepLoop } from '../engine/on-call/step-loop.ts'
import type { Clock } from '../engine/probing/clock.ts'
import { monotonicMs } from '../engine/probing/clock.ts'
import type { Leader } from '../engine/probing/lead.ts'
import type { RecordingTrouble } from '../engine/recording/ability.ts'
import { startGroupWatch } from '../engine/recording/follow-groups.ts'
import { createRecorders, type Recorders, worstTrouble } from '../engine/recording/recorders.ts'
import { startPostWriter } from '../engine/status-pages/write-posts.ts'
import { type Log, troubleOf } from '../log.ts'
import type { Meter } from '../metrics/meter.ts'
import type { LiveStreams } from '../operations/live-streams.ts'
import type { RemoteProbeNews } from '../operations/probing/remote-probe-news.ts'
import { listen } from '../postgres/listen.ts'
import { startLoop } from '../postgres/loop.ts'
import type { LiveSettings } from '../settings.ts'
import { LETTERS_CHANNEL } from '../store/accounts/letters.ts'
import { MAIL_TESTS_CHANNEL } from '../store/accounts/mail-tests.ts'
import { SETTINGS_CHANNEL } from '../store/accounts/service-settings.ts'
import { MAINTENANCE_CHANNEL } from '../store/maintenance/windows.ts'
import { GROUPS_CHANNEL } from '../store/monitors/groups.ts'
import { DELIVERIES_CHANNEL, NEWS_CHANNEL, SESSIONS_CHANNEL } from '../store/news.ts'
import { ESCALATIONS_CHANNEL } from '../store/on-call/new-escalations.ts'
import { CONFIRMATIONS_CHANNEL } from '../store/probing/confirmations.ts'
import { MONITORS_CHANNEL } from '../store/probing/schedule.ts'
import { SLOTS_CHANNEL } from '../store/probing/slots.ts'
import { REPORT_MAILS_CHANNEL } from '../store/reports/editions.ts'
import { SITES_CHANNEL } from '../store/sites/due-areas.ts'
import { NOTICES_CHANNEL } from '../store/status-pages/notices.ts'
import { STATUS_PAGES_CHANNEL } from '../store/status-pages/pages.ts'
import type { Store } from '../store/store.ts'
import { startAlertSender, startLetterSender, startMailTests, startNoticeSender } from './alerts.ts'
import { countBatches, countGivenUp } from './counters.ts'
import { gatherChanges } from './gather-changes.ts'
import { type SiteProber, startProber } from './prober.ts'
import { startReports } from './reports.ts'
import { startLeader } from './scheduler.ts'

/** A loop that fails for a reason that lasts is borne no longer. */
const MAX_STUCK_SECONDS = 20
/** Processes are told of changes; one that missed it has read them by then. */
const SETTINGS_READ_MS = 30_000
const SUBJECT_NEWS = new RegExp(`"event": ?"(incident|(${SUBJECT_KINDS.join('|')})s?)"`)

/** The loops that run in this process; null for those of roles that it does not have. */
export type Engine = {
  recorders: Recorders
  leader: Leader | null
  prober: SiteProber | null
  /** Those of this process that try again for ever. */
  loops: Loops
  /** Why this process cannot record something, in any of its threads; null while it can. */
  recordingTrouble(): RecordingTrouble | null
  /** Why something cannot work here, however often it is tried; null while all can. */
  lastingTrouble(): string | null
  /** The service answers: the loops that it did not need for that begin. */
  begin(): void
  /** Whether pings and reports are recorded here once they are durable: false as soon as one fails for a reason that lasts. */
  recordsRequests(): boolean
  close(): Promise<void>
}

/** Wires the loops of all roles that this process has, and starts them; `recorders` serve requests in any role. */
export function startEngine(
  settings: LiveSettings,
  store: Store,
  log: Log,
  live: LiveStreams,
  meter: Meter,
  probeNews: RemoteProbeNews,
  clock: Clock,
  wakeStatusPages: () => void,
): Engine {
  const { config } = settings
  const { db } = store
  const holder = randomUUID()
  const { promise: answers, resolve: begin } = Promise.withResolvers<void>()
  const say = (message: string) => log.warn({ part: 'loops' }, message)
  const loops = createLoops({ monotonicMs, say, answers })
  const onRecorderTrouble = troubleOf(log, 'recorder')
  const { tally } = meter
  const recorders = createRecorders(db, onRecorderTrouble, countBatches(tally), countGivenUp(tally))
  const leader = config.roles.has('scheduler')
    ? startLeader(config, store, holder, recorders, log, meter, clock, loops)
    : null
  const prober = config.roles.has('probe')
    ? startProber(config, store, log, meter, { recorder: recorders.sites, clock }, loops)
    : null
  const groups = config.roles.has('scheduler')
    ? startGroupWatch({
        db,
        recorder: recorders.monitors,
        now: clock.now,
        ...loops.watch('groups', troubleOf(log, 'scheduler')),
      })
    : null
  const sendsAlerts = config.roles.has('alerts')
  const sender = { config, store, holder, log, meter, loops }
  const alertSender = sendsAlerts ? startAlertSender(sender) : null
  const steps = sendsAlerts
    ? startStepLoop({ db, ...loops.watch('escalation', troubleOf(log, 'escalation')) })
    : null
  const postWriter = sendsAlerts
    ? startPostWriter({ db, now: clock.now, ...loops.watch('posts', troubleOf(log, 'status pages')) })
    : null
  const noticeSender = sendsAlerts ? startNoticeSender(sender) : null
  const reports = sendsAlerts ? startReports(sender, clock.now) : null
  const letterSender = sendsAlerts ? startLetterSender(sender) : null
  const mailTests = sendsAlerts ? startMailTests(sender) : null
  const savedSettings = startLoop({
    async work() {
      await settings.refresh()
      return SETTINGS_READ_MS
    },
    ...loops.watch('settings', troubleOf(log, 'settings')),
  })
  const monitors = gatherChanges((ids) => {
    leader?.changed(ids)
    prober?.changed(ids)
    probeNews.changed(ids)
  })
  const listening = listen(db, {
    [MONITORS_CHANNEL]: (payload) => monitors.changed(payload?.split(',').map(Number) ?? null),
    [GROUPS_CHANNEL]: () => groups?.wake(),
    [MAINTENANCE_CHANNEL]: (teamId) => {
      leader?.windowsChanged(teamId === null ? null : Number(teamId))
      wakeStatusPages()
    },
    [SLOTS_CHANNEL]: () => {
      leader?.wake()
      prober?.wake()
      probeNews.moved()
    },
    [CONFIRMATIONS_CHANNEL]: (region) => {
      prober?.confirm(region)
      probeNews.asked(region)
    },
    [SITES_CHANNEL]: () => prober?.wakeSites(),
    [DELIVERIES_CHANNEL]: () => alertSender?.wake(),
    ...(config.roles.has('api') && {
      [NEWS_CHANNEL]: (news: string | null) => {
        live.publish(news)
        // Other news of a team changes no status page.
        if (news === null || SUBJECT_NEWS.test(news)) wakeStatusPages()
      },
      [STATUS_PAGES_CHANNEL]: wakeStatusPages,
      [SESSIONS_CHANNEL]: (payload: string | null) => live.recheck(payload === null ? null : Number(payload)),
    }),
    [ESCALATIONS_CHANNEL]: () => steps?.wake(),
    [LETTERS_CHANNEL]: () => letterSender?.wake(),
    [MAIL_TESTS_CHANNEL]: () => mailTests?.wake(),
    [SETTINGS_CHANNEL]: () => savedSettings.wake(),
    [NOTICES_CHANNEL]: () => noticeSender?.wake(),
    [REPORT_MAILS_CHANNEL]: () => reports?.wake(),
  })
  const recordingTrouble = () =>
    worstTrouble([
      ...Object.values(recorders).map(({ trouble }) => trouble),
      prober?.recordingTrouble ?? null,
    ])
  return {
    recorders,
    leader,
    prober,
    loops,
    recordingTrouble,
    begin,
    lastingTrouble() {
      const recording = recordingTrouble()
      return recording?.isLasting ? recording.why : stuckLoop(loops)
    },
    recordsRequests: () => !recorders.monitors.isDoubtful && !recorders.servers.isDoubtful,
    async close() {
      // The prober first: a hand-over needs the leader and the news of slots.
      await prober?.close()
      await listening.close()
      monitors.close()
      await savedSettings.close()
      await mailTests?.close()
      await leader?.close()
      await groups?.close()
      await steps?.close()
      await postWriter?.close()
      await alertSender?.close()
      await letterSender?.close()
      await noticeSender?.close()
      await reports?.close()
      await Promise.all(Object.values(recorders).map((recorder) => recorder.close()))
    },
  }
}

function stuckLoop(loops: Loops): string | null {
  const stuck = loops.read().find(({ isLasting, seconds }) => isLasting && seconds >= MAX_STUCK_SECONDS)
  return stuck?.why ?? null
}
