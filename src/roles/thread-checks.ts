import { openBrowsers } from '../browsers.ts'
import type { Config } from '../config.ts'
import type { CheckResult } from '../core/monitors/check.ts'
import type { ProbedType } from '../core/monitors/monitor-types.ts'
import { inverted } from '../core/monitors/options/inverted.ts'
import { type ProbeSettings, probeSettings } from '../core/monitors/probe-settings.ts'
import { createEvidenceGuard, type PeerEvidence } from '../engine/evidence/evidence.ts'
import type { NetworkNotice } from '../engine/evidence/network-notices.ts'
import { createPeerEvidenceRequests } from '../engine/evidence/peer-evidence.ts'
import { createBaselineKeeper } from '../engine/incidents/baselines.ts'
import { createDiagnoser } from '../engine/incidents/diagnose.ts'
import { createConfirmationAnswerer } from '../engine/probing/answer-confirmations.ts'
import { createClock, JUMP_MS, monotonicMs } from '../engine/probing/clock.ts'
import { createConfirm } from '../engine/probing/confirm.ts'
import { monitorToCheck } from '../engine/probing/kept-monitor.ts'
import { createTrialChecks } from '../engine/probing/make-trials.ts'
import { createScheduler } from '../engine/probing/schedule.ts'
import type { RecordingTrouble } from '../engine/recording/ability.ts'
import type { Recorder } from '../engine/recording/finding.ts'
import { type KeptServices, keptHere, keptIn } from '../engine/sites/registry-services.ts'
import type { ThreadChecks } from '../engine/threads/follow-instructions.ts'
import type { ThreadReport } from '../engine/threads/thread-messages.ts'
import { type Log, troubleOf } from '../log.ts'
import { type Level, poolLevels } from '../metrics/levels.ts'
import type { Tally } from '../metrics/tally.ts'
import { createNetwork, type Network } from '../net/network.ts'
import { onBehalfOf } from '../net/on-behalf-of.ts'
import { createOwnNetworks } from '../net/own-networks.ts'
import { publicNetworkOf } from '../net/public-network.ts'
import type { Database } from '../postgres/database.ts'
import type { Browsers } from '../probes/browser/browsers.ts'
import { createSharedPlaces, type SharedPlaces } from '../probes/browser/places.ts'
import { openEchoSockets } from '../probes/icmp/echo.ts'
import { createIcmpProbe, resolveForEcho } from '../probes/icmp.ts'
import { lookAtTarget } from '../probes/incidents/look.ts'
import { maskOf } from '../probes/mask-secrets.ts'
import { createReach } from '../probes/reach.ts'
import { createProbes, type Probes, probeBy } from '../probes/run.ts'
import { createRegistries } from '../registries.ts'
import { type Baselines, createBaselines } from '../store/incidents/baselines.ts'
import { createDiagnosisClaims, type DiagnosisClaims } from '../store/incidents/diagnoses.ts'
import { openSecrets } from '../store/monitors/monitor-columns.ts'
import {
  type ConfirmationClaims,
  type ConfirmationRequests,
  createConfirmationClaims,
  createConfirmationRequests,
} from '../store/probing/confirmations.ts'
import { createOverruns, type Overruns } from '../store/probing/overruns.ts'
import type { MonitorToCheck } from '../store/probing/schedule.ts'
import { createTrialClaims, type TrialClaims } from '../store/probing/trials.ts'
import type { Vault } from '../store/sealing/vault.ts'
import { countChecks, createCountedRecorder } from './counters.ts'

const now = () => new Date()

/** Places of browsers that the process shares; a thread that is alone has its own. */
type OwnPlaces = { browserPlaces?: SharedPlaces | undefined }

/** Wires what one thread checks with: probes behind their guard, a scheduler, and a recorder of its own. */
export function createThreadChecks(
  config: Config,
  db: Database,
  vault: Vault,
  log: Log,
  report: (report: ThreadReport) => void,
  tally: Tally,
  browserPlaces: SharedPlaces,
): ThreadChecks & { levels(): Level[]; recordingTrouble(): RecordingTrouble | null } {
  const recorder = createCountedRecorder(db, log, tally)
  const checks = createThreadChecksWith(
    {
      recorder,
      overruns: createOverruns(db),
      confirmations: createConfirmationRequests(db),
      claims: createConfirmationClaims(db),
      trials: createTrialClaims(db, vault),
      diagnoses: createDiagnosisClaims(db),
      baselines: createBaselines(db),
      openSecrets: (monitor) => openSecrets(monitor, vault),
      registries: keptIn(db),
    },
    { config, log, report, tally, browserPlaces },
  )
  return {
    ...checks,
    recordingTrouble: () => recorder.trouble,
    levels: () => [...checks.levels(), ...poolLevels('checking', [db.pool, db.pipelined])],
  }
}

/** The same with another recorder, another way to ask other regions, and secrets that are opened elsewhere. */
export function createThreadChecksWith(
  deps: {
    recorder: Recorder & { readonly waiting: number }
    overruns: Overruns
    confirmations: ConfirmationRequests
    claims: ConfirmationClaims
    /** A remote probe makes no tests. */
    trials?: TrialClaims
    /** Nor a diagnosis: its service does. */
    diagnoses?: DiagnosisClaims
    /** Nor what one is compared with. */
    baselines?: Baselines
    openSecrets: (monitor: MonitorToCheck) => ReturnType<typeof openSecrets>
    /** Where the list of the registries of domains is kept; this process keeps its own without it. */
    registries?: KeptServices
  },
  setting: { config: Config; log: Log; report: (report: ThreadReport) => void; tally: Tally } & OwnPlaces,
): ThreadChecks & { levels(): Level[] } {
  const { recorder } = deps
  const { config, log, report, tally, browserPlaces } = setting
  const guarded = createGuardedProbes(config, log, report, {
    registries: deps.registries,
    browserPlaces,
  })
  const clock = createClock(monotonicMs, Date.now)
  const onTrouble = troubleOf(log, 'scheduler')
  const settings = (monitor: MonitorToCheck) => settingsOf(monitor, deps.openSecrets(monitor))
  const showsTraits = deps.baselines !== undefined
  const baselines =
    deps.baselines &&
    createBaselineKeeper({
      baselines: deps.baselines,
      region: config.region,
      now: clock.now,
      maskOf: (monitor) => maskOf({ settings: settings(monitorToCheck(monitor)), secrets: [] }).apply,
      onTrouble,
    })
  const probe = asInverted(guarded.probe)
  const scheduler = createScheduler({
    probe,
    settingsOf: (monitor) => settingsOf(monitor, deps.openSecrets(monitor), showsTraits),
    recorder,
    region: config.region,
    now: clock.now,
    note: countChecks(tally),
    ...(baselines && { passed: baselines.note }),
    onTrouble,
    overruns: deps.overruns,
    confirm: createConfirm({
      probe,
      confirmations: deps.confirmations,
      nowMs: () => clock.now().getTime(),
      onTrouble,
    }),
  })
  const answerer = createConfirmationAnswerer({
    claims: deps.claims,
    probe,
    settingsOf: settings,
    onTrouble,
  })
  const trials = deps.trials && createTrialChecks({ claims: deps.trials, probe, onTrouble })
  const diagnoser =
    deps.diagnoses &&
    createDiagnoser({
      claims: deps.diagnoses,
      probe,
      settingsOf: settings,
      look: guarded.look,
      onTrouble,
    })
  return {
    load: scheduler.load,
    apply: scheduler.apply,
    release: scheduler.release,
    handOver: scheduler.handOver,
    assign(assignment, offsetMs) {
      const jumpMs = clock.set(offsetMs)
      scheduler.assign(assignment)
      answerer.assign(assignment.membership)
      trials?.assign(assignment.membership)
      diagnoser?.assign(assignment.membership)
      if (Math.abs(jumpMs) > JUMP_MS) scheduler.replan()
    },
    confirm() {
      answerer.wake()
      trials?.wake()
      diagnoser?.wake()
    },
    shareEvidence: guarded.shareEvidence,
    noteWayWorks: guarded.noteWayWorks,
    takeEvidence: guarded.takeEvidence,
    levels: () => [
      { name: 'undecided', labels: {}, value: guarded.overdue() },
      { name: 'scheduled', labels: {}, value: scheduler.size },
      { name: 'underWay', labels: {}, value: scheduler.underWay },
      { name: 'waiting', labels: { thread: 'checking' }, value: recorder.waiting },
    ],
    async close() {
      // Together: a check whose finding cannot be written any more must not hold up the end.
      await Promise.all([
        scheduler.close(),
        answerer.close(),
        trials?.close(),
        diagnoser?.close(),
        baselines?.close(),
        recorder.close(),
      ])
      await guarded.close()
    },
  }
}

/** The probes of one thread behind its guard; `authorities` (PEM) are trusted besides those of the configuration. */
export function createGuardedProbes(
  config: Config,
  log: Log,
  report: (report: ThreadReport) => void,
  {
    authorities = [],
    registries = keptHere(monotonicMs),
    browserPlaces = createSharedPlaces(config.browserChecks),
  }: { authorities?: readonly string[]; registries?: KeptServices | undefined } & OwnPlaces = {},
) {
  const network: Network = createNetwork({
    privateTargets: config.privateTargets,
    privateRedirects: config.privateRedirects,
    sockets: config.dockerSockets,
    now,
    extraAuthorities: authorities,
    registries: createRegistries(registries, () => network, log),
  })
  const peers = createPeerEvidenceRequests(report)
  const guard = createGuardOver(network, log, {
    notify: (notice) => report({ kind: 'network', notice }),
    others: peers.request,
    browsers: openBrowsers(config, browserPlaces),
  })
  return { ...guard, takeEvidence: peers.takeEvidence }
}

/** Probes over a network, `instead` of those that they are usually; `others` are the guards of the same process. */
export function createGuardOver(
  network: Network,
  log: Log,
  deps: {
    notify: (notice: NetworkNotice) => void
    others: () => Promise<PeerEvidence[]>
    instead?: Pick<Partial<Probes>, 'ssl'>
    browsers?: Browsers | null
  },
) {
  const sockets = openEchoSockets()
  // Hop limits hold for a socket: those of checks go as far as there is a way.
  const tracing = openEchoSockets()
  const resolve = resolveForEcho(network)
  const icmp = createIcmpProbe({ resolve, sockets, now, loop: network.loop })
  const onBug = troubleOf(log, 'probe')
  const isOurs = createOwnNetworks(monotonicMs)
  const { browsers = null, instead = {} } = deps
  const probes = createProbes({ network, now, icmp, onBug, browsers, instead })
  const guard = createEvidenceGuard({
    probe: (settings, signal) => probeBy(probes, settings, signal),
    networkOf: (address) => (isOurs(address) ? null : publicNetworkOf(address)),
    reach: createReach(network, icmp),
    find: async (name, signal) => {
      const found = await network.nameServers.lookUp(name, signal)
      return found.kind === 'found' ? found.addresses : []
    },
    isRootDenied: network.nameServers.isRootDenied,
    monotonicMs,
    notify: deps.notify,
    others: deps.others,
  })
  return {
    ...guard,
    look: (settings: ProbeSettings, signal: AbortSignal) =>
      onBehalfOf(settings.team_id ?? 0, () => lookAtTarget(network, tracing, settings, signal)),
    async close() {
      sockets.close()
      tracing.close()
      await browsers?.close()
    },
  }
}

type Probe = (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>

/** Judges monitors upside down that want it, once it is known whose trouble a failure is. */
function asInverted(probe: Probe): Probe {
  return (settings, signal) => {
    const result = probe(settings, signal)
    return settings.options?.inverted ? result.then(inverted) : result
  }
}

function settingsOf(
  monitor: MonitorToCheck,
  secrets: ReturnType<typeof openSecrets>,
  shows_traits = false,
): ProbeSettings {
  return probeSettings(monitor.type as ProbedType, { ...monitor, ...secrets, shows_traits })
}
