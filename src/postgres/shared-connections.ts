import type pg from 'pg'

/** Runs one short statement, outside any transaction, on a connection that others use at the same time. */
export type RunShared = <Row extends pg.QueryResultRow>(
  statement: pg.QueryConfig,
) => Promise<pg.QueryResult<Row>>

type Lane = { pending: number; client: Promise<pg.PoolClient> }

/**
 * Sends short statements of many callers over few pipelined connections: those that are started together share a write,
 * and one process of the server answers them without sleeping in between. Each goes where the fewest are under way, so a
 * connection is shared only when all of them are busy. They must not take long, nor wait for locks of more than one
 * statement: those behind them on the connection would wait as well.
 */
export function shareConnections(pool: pg.Pool, maxLanes: number): RunShared {
  const lanes: Lane[] = []

  function laneToUse(): Lane {
    const idlest = lanes.reduce<Lane | null>(
      (least, lane) => (least === null || lane.pending < least.pending ? lane : least),
      null,
    )
    if (idlest !== null && lanes.length >= maxLanes) return idlest
    const lane = { pending: 0, client: pool.connect() }
    lanes.push(lane)
    return lane
  }

  /** A connection that failed answers nobody who comes later. */
  function close(lane: Lane) {
    const index = lanes.indexOf(lane)
    if (index >= 0) lanes.splice(index, 1)
  }

  return async (statement) => {
    const lane = laneToUse()
    lane.pending++
    try {
      return await (await lane.client).query(statement)
    } catch (error) {
      if (!isAnswer(error)) close(lane)
      throw error
    } finally {
      if (--lane.pending === 0) {
        close(lane)
        void lane.client.then(
          (client) => client.release(),
          () => {},
        )
      }
    }
  }
}

/** Whether the server said it, on a connection that works. */
function isAnswer(error: unknown): boolean {
  return typeof (error as { severity?: unknown }).severity === 'string'
}
