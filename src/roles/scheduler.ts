import type { Config } from '../config.ts'
import type { Loops } from '../engine/loops.ts'
import { startWindowWatch } from '../engine/maintenance/window-watch.ts'
import type { Clock } from '../engine/probing/clock.ts'
import { monotonicMs } from '../engine/probing/clock.ts'
import { createLeader, type Leader } from '../engine/probing/lead.ts'
import { createScheduler } from '../engine/probing/schedule.ts'
import { type Recorders, worstTrouble } from '../engine/recording/recorders.ts'
import { startSilenceWatch } from '../engine/servers/follow-silence.ts'
import { type Log, troubleOf } from '../log.ts'
import type { Meter } from '../metrics/meter.ts'
import { lookUpTxt } from '../net/names/txt-records.ts'
import type { Store } from '../store/store.ts'
import { countChecks, countSilences } from './counters.ts'

/** Wires the role `scheduler`: one process at a time leads, shares the monitors out and waits for heartbeats. */
export function startLeader(
  config: Config,
  store: Store,
  holder: string,
  recorders: Recorders,
  log: Log,
  meter: Meter,
  clock: Clock,
  loops: Loops,
): Leader {
  const onTrouble = troubleOf(log, 'scheduler')
  const note = (message: string) => log.info(message)
  return createLeader({
    db: store.db,
    plans: config.plans,
    holder,
    clock,
    monotonicMs,
    startWatching: () =>
      createScheduler({
        ...NO_PROBES,
        recorder: recorders.monitors,
        region: config.region,
        now: clock.now,
        note: countChecks(meter.tally),
        onTrouble,
      }),
    startWindowWatch: (leading) =>
      startWindowWatch({
        ...leading,
        db: store.db,
        recorder: recorders.monitors,
        region: config.region,
        now: clock.now,
        ...loops.watch('window ends', onTrouble),
      }),
    startSilenceWatch: () =>
      startSilenceWatch({
        db: store.db,
        recorder: countSilences(meter.tally, recorders.servers),
        now: clock.now,
        ...loops.watch('server silence', onTrouble),
        note,
      }),
    upkeepReports: loops.watch('upkeep', onTrouble),
    helpReports: loops.watch('history help', onTrouble),
    lookUpTxt,
    mayLead: () => !worstTrouble([recorders.monitors.trouble, recorders.servers.trouble])?.isLasting,
    ...loops.watch('leader', onTrouble),
    note,
  })
}

/** The leader probes no target: it waits for heartbeats. */
const NO_PROBES: Pick<Parameters<typeof createScheduler>[0], 'probe' | 'settingsOf'> = {
  probe: () => Promise.reject(new Error('a heartbeat is not probed')),
  settingsOf: () => {
    throw new Error('a heartbeat is not probed')
  },
}
