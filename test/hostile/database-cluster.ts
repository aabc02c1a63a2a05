import { readDatabaseUrl } from '../../src/postgres/database-url.ts'
import { startPatroniCluster } from '../support/postgres/patroni/cluster.ts'
import { startPooler } from '../support/postgres/patroni/pooler.ts'
import { familyOf, titleOf, trySignal } from '../support/processes.ts'
import type { Scope } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type DatabaseServer, JUDGED_BY } from './database-server.ts'

/** PostgreSQL on three machines under Patroni; what befalls a server befalls the one that leads. */
export async function startDatabaseCluster(scope: Scope, isPooled = false): Promise<DatabaseServer> {
  const cluster = await startPatroniCluster(scope, { settings: JUDGED_BY })
  const address = readDatabaseUrl(`${cluster.url}?sslmode=disable`)
  const pooler = isPooled ? await startPooler(scope, cluster) : null
  // The one that led when it was seen last: a fault hits it at once.
  let leading = await findLeader()

  function findLeader() {
    return until('the cluster to have a leader', cluster.leader)
  }

  async function ensureRunning() {
    await until('the cluster to take writes', () =>
      cluster.admin('SELECT pg_current_xact_id()').then(
        () => true,
        () => false,
      ),
    )
    leading = await findLeader()
  }

  async function ensureWhole() {
    await cluster.untilWhole()
    leading = await findLeader()
  }

  const pids = () => {
    const postmaster = leading.postmaster()
    return postmaster === null ? [] : familyOf(postmaster)
  }
  return {
    address,
    doors: pooler ? [pooler] : cluster.nodes.map(({ host, port }) => ({ host, port })),
    disk: null,
    kill(signal) {
      const postmaster = leading.postmaster()
      if (postmaster !== null) trySignal(postmaster, signal)
    },
    pids,
    backends: () => pids().filter((pid) => /^postgres: (\S+: )?upbeat upbeat 127\.0\.0\./.test(titleOf(pid))),
    ensureRunning,
    ensureWhole,
    async fillDisk() {
      throw new Error('the machines of the cluster have no disk of their own')
    },
    cluster: {
      async switchOver() {
        await cluster.switchOver()
        return ensureRunning
      },
      async killLeader() {
        const dead = await findLeader()
        await dead.crash()
        return async () => {
          await cluster.untilLedByOtherThan(dead)
          await dead.start()
          await ensureRunning()
        }
      },
      async freezeLeader() {
        const frozen = await findLeader()
        frozen.freeze()
        return async () => {
          await cluster.untilLedByOtherThan(frozen)
          frozen.thaw()
          await ensureRunning()
        }
      },
      async freezeStandby() {
        const frozen = await cluster.synchronousStandby()
        frozen.freeze()
        return async () => {
          frozen.thaw()
          await ensureRunning()
        }
      },
    },
  }
}
